"""English templates of everything L'Âge des Escarmouches says, by code; each module holds one chapter's."""

from grognard.kernel.words.texts import gather

TEXTS, CLASHES = gather(__name__, __path__)
