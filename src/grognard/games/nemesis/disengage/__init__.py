"""Chapter 18: leaving a melee: who may, the hits, the move, the pursuit."""
