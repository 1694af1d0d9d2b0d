"""Legal and shortest ways of a base, sweeps, turns, and many models brought somewhere together."""
