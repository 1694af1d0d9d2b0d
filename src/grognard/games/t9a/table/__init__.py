"""What is where: terrain, ground, sight, cover, contacts, zones, blocks carried by hand."""
