"""The page's own sentences: what its source says is one."""

from __future__ import annotations

import json
import re
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "web" / "src"
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
