"""Chapter 23: what burns, how it catches and spreads, creatures ablaze, fire missiles."""
