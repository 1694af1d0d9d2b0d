"""What the choices of house rules are called."""

TEXTS = {
    "house.musician.courage": "courage",
    "house.musician.discipline": "discipline",
    "house.refusals.compensate": "loses one first",
    "house.refusals.give": "always gives one",
    "house.placement_ties.later": "later",
    "house.placement_ties.first": "first",
    "house.hostile.left": "to the left",
    "house.hostile.right": "to the right",
    "house.scenery.agreed": "agreed on",
    "house.scenery.alternate": "alternately",
    "house.shifts.clamp": "into the table first",
    "house.shifts.scale": "endless scale",
    "house.fear_resisted.game": "for the game",
    "house.fear_resisted.turn": "for the turn",
    "house.extra_limb.enemies": "enemies",
    "house.extra_limb.everybody": "everybody",
    "house.recall.turn": "that turn",
    "house.recall.later": "also later",
}
