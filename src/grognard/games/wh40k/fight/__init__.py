"""Chapter 10: the Fight phase: who fights when, pile in and consolidate, who strikes whom."""
