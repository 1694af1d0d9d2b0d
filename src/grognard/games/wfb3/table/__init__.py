"""What is where: ground, sight, cover, contacts, buildings, machines, baggage, flyers."""
