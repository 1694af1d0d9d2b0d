"""What is where: ground, levels, sight, coherency, and where models may end or be set up."""
