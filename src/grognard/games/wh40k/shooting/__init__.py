"""Chapter 6: the Shooting phase: targets, weapons, reactions, Overwatch, grenades."""
