"""Placements of single models: the path is the proof; loose models carried by hand as one body."""
