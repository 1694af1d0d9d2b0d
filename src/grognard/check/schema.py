"""The JSON schema of case files, made from the shapes in case.py (draft 2020-12)."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.check.case import MARKED, CaseText

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schema() -> dict[str, Any]:
    """What `grognard check --schema` prints: a file is one case or a list of cases."""
    kinds = [CaseText, *MARKED.values()]
    _, parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    steps = [{"$ref": f"#/$defs/{kind.__name__}"} for kind in MARKED.values()]
    parts["Answer"] = _answer()
    parts["Step"] = {"oneOf": [*steps, {"$ref": "#/$defs/Answer"}]}
    parts["CaseText"]["properties"]["do"]["items"] = {"$ref": "#/$defs/Step"}
    expect = parts["Expect"]["properties"]
    expect["numbers"]["items"] = _row("measure", "value", "why")
    expect["odds"]["items"] = _row("question", "chance", "mean")
    case = {"$ref": "#/$defs/CaseText"}
    return {
        "$schema": DRAFT,
        "title": "Grognard case",
        "description": "A worked example of a tabletop wargame, or a list of them; see docs/cases.md.",
        "oneOf": [case, {"type": "array", "items": case, "minItems": 1}],
        "$defs": parts,
    }


def _row(asks: str, *gives: str) -> dict[str, Any]:
    """A row that names what is asked and says what should come out; its arguments are the game's."""
    return {
        "type": "object",
        "properties": {asks: {"type": "string"}, "with": {"type": "object"}},
        "required": [asks],
        "anyOf": [{"required": [name]} for name in gives],
    }


def _answer() -> dict[str, Any]:
    """`{question.name: answer}` with an optional seat and about; no key of the other entries."""
    return {
        "title": "Answer",
        "description": "{question.name: answer}: a player decides; null declines.",
        "type": "object",
        "properties": {"seat": {"type": "string"}, "about": {"type": "string"}, **dict.fromkeys(MARKED, False)},
        "additionalProperties": True,
        "minProperties": 1,
        "maxProperties": 3,
    }
