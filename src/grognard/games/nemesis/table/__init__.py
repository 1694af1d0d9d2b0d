"""What is where: ground, sight, cohesion, control zones, engagements, spells in effect."""
