"""What is said of Detachments, Enhancements and rules that would be resolved at the same time."""

TEXTS = {
    "ask.sequence": "{seat}: roll off; the winner chooses the order of what happens at once",
    "roll.sequence": "roll-off for the order of rules",
    "ask.sequence.rules": "{seat}: in which order are these rules resolved?",
    "ask.sequence.windows": "{seat}: what is resolved first after the move of {about0}?",
    "option.rule": "{rule} of {seat}",
    "option.window": "{what}",
    "window.overwatch": "Fire Overwatch",
    "window.tank-shock": "Tank Shock",
    "window.heroic": "Heroic Intervention",
    "window.embark": "embarking",
    "ask.detachment.steady": "{seat}: which Battle-shocked unit recovers by Iron Discipline?",
    "event.detachment.steadied": "Iron Discipline: {about0} {about0|is|are} no longer Battle-shocked.",
    "ask.detachment.heal": "{seat}: which model regains a wound by Ashen Regrowth?",
    "event.detachment.healed": "Ashen Regrowth: {about0} {about0|has|have} {left} {left|wound|wounds} again.",
    "army.unknown-detachment": "the Detachment {name} is not known",
    "army.compulsory": "the Detachment {name} asks for {what}",
    "army.forbidden": "the Detachment {name} forbids {unit}",
}
