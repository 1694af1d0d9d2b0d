"""English templates of everything Warhammer says, by code; each module of this folder holds one chapter's."""

from __future__ import annotations

from grognard.kernel.words.texts import gather

#: CLASHES: codes that two modules give different texts, a mistake, which the tests look for.
TEXTS, CLASHES = gather(__name__, __path__)
