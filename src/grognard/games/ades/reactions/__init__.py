"""Chapter 5.3.2: tactics that answer the enemy: interception, vigilance, passage by force, cover."""
