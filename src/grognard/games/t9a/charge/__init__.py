"""Chapter 11: the Charge Phase: declarations, reactions, charge moves, failed and combined charges."""
