"""English templates of everything Warhammer 40,000 says, by code; each module of this folder holds one chapter's."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

#: Codes that two modules give different texts: a mistake, which the tests look for.
CLASHES: list[str] = []


def _gather() -> dict[str, str]:
    """The TEXTS of every module in this folder."""
    found: dict[str, str] = {}
    for module in sorted(info.name for info in iter_modules(__path__)):
        for code, text in import_module(f"{__name__}.{module}").TEXTS.items():
            if found.setdefault(code, text) != text:
                CLASHES.append(f"{module}: {code}")
    return found


TEXTS: dict[str, str] = _gather()
