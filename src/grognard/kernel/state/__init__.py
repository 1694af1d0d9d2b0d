"""Models, units and sides as tokens, records by chapter, and what views of them have in common."""
