"""What is said of Model Rules: special attacks, hits in brackets, command groups."""

TEXTS = {
    "ask.special.which": "{seat}: impact hits or grind attacks of {about0}?",
    "ask.bracket.hit": "{seat}: on whom falls the hit with the values in brackets?",
    "option.impact": "impact hits",
    "option.grind": "grind attacks",
    "refuse.ambush.far": "{unit} came onto the table this turn and would end too far from its edge",
    "refuse.join.far": "{model} cannot reach a place in {unit} with its move",
    "refuse.join.left": "{model} has just left {unit}",
    "event.command.placed": "The command group of {about0} changes its places.",
    "refuse.command.place": "the {model} of {unit} stands in the place of one of its men",
    "refuse.command.far": "the {model} of {unit} would go further than the unit may move",
    "event.march.stopped": (
        "{about0} {about0|ends|end} {about0|its|their} march where {about0|it|they} suffered losses."
    ),
}
