"""Chapter 14: declaring, casting, blocking and dispelling spells, and what they do."""
