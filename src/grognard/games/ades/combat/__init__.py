"""Chapter 4.3: the Combat phase: melees, combat dice, feints, blows, pursuit."""
