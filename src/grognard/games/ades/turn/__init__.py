"""Chapter 4.1: the tactical phase, piles of cards, turns to speak, deployment, neutrals."""
