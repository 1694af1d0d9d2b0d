"""Chapters 8, 12 and 13: formulas, gems and faith, nexus, artefacts and devices."""
