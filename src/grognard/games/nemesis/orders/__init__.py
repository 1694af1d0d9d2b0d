"""Chapter 13: the orders phase: which action, at whom; finding enemies by Insight."""
