"""What a guided first battle says of each phase, when the player comes to it for the first time."""

TEXTS = {
    "guide.deployment": (
        "The sides take turns to set down one unit each, inside their own zone. Keep units within 40 cm "
        "of the heroes who shall order them."
    ),
    "guide.start": "Every turn begins here: whoever carries several weapons says which one he uses this turn.",
    "guide.command": (
        "Each side rolls a die and adds the command points of all its heroes. Whoever gets more acts "
        "first in every phase of this turn."
    ),
    "guide.movement": (
        "Every unit may walk once. Nobody may walk through the ground an enemy model controls around "
        "itself. Orders come next: stay in reach of your heroes."
    ),
    "guide.orders": (
        "Heroes spend command points to order units: to approach, charge, shoot or break away. A unit "
        "without an order may try to shoot or charge by itself. Nothing may be measured beforehand: "
        "trust your eye."
    ),
    "guide.magic": (
        "All spells are announced first. Then each mage rolls as many dice as he dares against the "
        "difficulty; a 1 on any of them spoils the spell, and an enemy mage may block it."
    ),
    "guide.approach": "Units told to approach go toward their target now.",
    "guide.engage": (
        "Charges are run now, after the reactions of those who are charged. A charge that is too short "
        "goes half its move and stops."
    ),
    "guide.shooting": (
        "Each shooter rolls to hit, then the target rolls to resist. Range, cover, size and having "
        "moved all count: the why beside a roll shows by how much."
    ),
    "guide.disengage": "Units told to break away do so now; each enemy in contact strikes them as they go.",
    "guide.combat": (
        "Every model in contact may fight, chargers first. The attack roll must exceed the defence; "
        "then the target may still resist."
    ),
    "guide.end": "Spells that have run out end here, and the mission says whether there is another turn.",
    "guide.on.hero.act": (
        "Heroes who stand alone have two different actions of their own each turn. They cost no command points."
    ),
    "guide.on.attempt.unit": (
        "A unit without an order may try to shoot or charge by itself, once a turn. A die decides: the note beside "
        "the action says what it must show."
    ),
    "guide.on.charge.react": (
        "An enemy comes at you. To hold is free. The other answers cost an order, a command point or a test, and "
        "the charge is run after them."
    ),
    "guide.on.cast.dice": (
        "More dice reach the difficulty more easily, but every die may show the 1 that spoils it all."
    ),
    "guide.on.combat.target": (
        "Say whom each of your models in contact strikes. The odds of the blow stand under the options."
    ),
    "guide.results": (
        "Losses leave the table. A unit that lost half of its strength this turn tests its courage, and may run."
    ),
}
