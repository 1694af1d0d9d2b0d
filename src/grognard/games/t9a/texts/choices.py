"""What the choices of house rules are called, and who belongs to somebody."""

TEXTS = {
    "name.champion": "{name} Champion",
    "house.flux_cards.cards": "cards drawn",
    "house.flux_cards.dice": "rolled for",
    "house.result.points": "Battle Points",
    "house.result.simple": "simplified",
}
