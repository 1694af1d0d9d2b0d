"""What is where: ground, sight, terrain, contact, hidden scouts, and moves worth considering."""
