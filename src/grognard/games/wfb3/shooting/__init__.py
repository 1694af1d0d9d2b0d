"""Chapter 6: who may shoot, aiming, volleys, grenades."""
