"""What players read: English templates by code."""

from grognard.kernel.words.texts import gather

TEXTS, CLASHES = gather(__name__, __path__)
