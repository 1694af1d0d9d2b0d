"""Chapter 15: the Melee Phase: rounds of combat, duels, break tests, pursuit, reforms."""
