"""What the choices of house rules are called, and what belongs to something."""

TEXTS = {
    "name.side": "{name} side",
    "name.wall": "{name} wall",
    "house.attached_keywords.any": "of any model",
    "house.attached_keywords.all": "of all models",
    "house.fly_over.climb": "climbs",
    "house.fly_over.air": "through the air",
    "house.late_fights_first.remaining": "in the second step",
    "house.late_fights_first.now": "still in the first",
    "house.save_choice.best": "the better one",
    "house.save_choice.ask": "asked each time",
    "house.fly_charge.bound": "keeps out",
    "house.fly_charge.free": "passes through",
    "house.charge_closer.every": "every model",
    "house.charge_closer.contact": "who can touch",
    "house.too_big_for_the_edge.barred": "cannot arrive",
    "house.too_big_for_the_edge.touching": "touches the edge",
}
