"""What people write, read and checked: cards, lists, setups, cases, terrain, rulebooks; special rules by name."""
