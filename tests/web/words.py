"""The page's own sentences: what its source marks as one, and the French catalogue (locale/fr/LC_MESSAGES/table.po)."""

from __future__ import annotations

import json
import re
from pathlib import Path

from babel.messages.pofile import read_po

from grognard.kernel.texts import LOCALES

SOURCE = Path(__file__).resolve().parents[2] / "web" / "src"
CATALOGUE = LOCALES / "fr" / "LC_MESSAGES" / "table.po"
#: t("…") shows a sentence, mark("…") says that one is shown later.
SAID = re.compile(r'\b(?:t|mark)\(\s*("(?:[^"\\]|\\.)*")')


def sentences() -> dict[str, str]:
    """Every English sentence of the page, with the file it stands in first."""
    found: dict[str, str] = {}
    for path in sorted(SOURCE.rglob("*")):
        if path.suffix in (".ts", ".svelte"):
            for match in SAID.finditer(path.read_text(encoding="utf-8")):
                found.setdefault(json.loads(match.group(1)), path.name)
    found.pop("", None)
    return found


def french() -> dict[str, str]:
    """The translations there are."""
    with CATALOGUE.open("rb") as file:
        return {str(m.id): str(m.string) for m in read_po(file, locale="fr") if m.id}
