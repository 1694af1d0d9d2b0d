"""Words that facts hold and sentences show: phases, actions, zones; proposals of moves; outcomes of the odds desk."""

_WORDS = (
    # actions and reactions, and what paid for them
    "approach", "shoot", "charge", "counter", "disengage", "retreat", "hold",
    "order", "action", "test", "reaction", "legend", "fate", "dispel", "command point",
    # deployment
    "south", "north", "west", "east", "south-west", "south-east", "north-west", "north-east", "central",
    # colours of sides
    "red", "blue", "green", "gold", "white", "black", "violet", "grey", "brown",
    # factions
    "undead", "orphans", "cult", "realm",
    # army lists and markers
    "commander", "manuscript",
    # what the odds desk tells
    "out of range", "missed", "resisted", "survived", "wounded", "friend resisted", "friend survived", "friend wounded",
    "contact", "too far", "afraid", "fled", "shot down", "cast", "blocked", "failed", "fiasco", "passed",
    "HC", "F", "R", "HT", "C", "CO", "S", "A", "M", "PC",
)  # fmt: skip

_PHASES = {
    "preparation": "preparation",
    "deployment": "deployment",
    "start": "start",
    "command": "command",
    "movement": "movement",
    "orders": "orders",
    "magic": "magic",
    "approach": "approach",
    "engage": "engage",
    "shooting": "shooting",
    "disengage": "disengage",
    "combat": "combat",
    "results": "results",
    "end": "end",
    "over": "over",
}

_ROLLS = {
    "accuracy": "accuracy",
    "resist": "resistance",
    "survival": "survival",
    "regeneration": "regeneration",
    "combat.attack": "combat roll, attack",
    "combat.defence": "combat roll, defence",
    "courage": "courage",
    "courage.dark-wood": "courage",
    "fear": "fear",
    "nerve": "courage",
    "hypnotism": "courage against Hypnotism",
    "attempt.shoot": "to shoot without an order",
    "attempt.charge": "to charge without an order",
    "cast.test": "concentration",
    "dispel.test": "concentration",
    "zone.roll": "who chooses a zone first",
    "command.test": "command",
    "block.roll": "block",
    "impact": "impact",
    "insight": "Insight",
    "spell.hits": "how many hits",
    "spell.power": "power of the spell",
    "shot.random": "who in the melee is hit",
    "retreat": "how far they retreat",
    "flight": "how far they flee",
    "disengage": "how far they get",
    "pursuit": "how far they pursue",
    "terrain.number": "how many elements",
    "terrain.quarter": "which quarter",
    "terrain.across": "how far across",
    "terrain.up": "how far up",
}

_PROPOSALS = {
    # moves
    "toward": "toward {what}",
    "back": "back, away from the enemy",
    "turn": "turn to face {what}",
    "pile-in": "into the fight",
    "regroup": "close up",
    "to": "to {what}",
    "home": "back to the own zone",
    "join": "join {what}",
    "charge": "charge home",
    "aside": "aside, on a bearing of {what} {what|degree|degrees}",
    # disengaging
    "away": "directly away",
    "open": "any way that is open",
    "n": "north", "ne": "north-east", "e": "east", "se": "south-east",
    "s": "south", "sw": "south-west", "w": "west", "nw": "north-west",
    # deployment
    "front-centre": "in front, in the centre", "front-left": "in front, left", "front-right": "in front, right",
    "middle-centre": "in the middle, in the centre", "middle-left": "in the middle, left",
    "middle-right": "in the middle, right",
    "back-centre": "at the back, in the centre", "back-left": "at the back, left", "back-right": "at the back, right",
    "scout-centre": "as scouts, in the centre", "scout-left": "as scouts, left", "scout-right": "as scouts, right",
    "cover": "in cover", "anywhere": "anywhere",
    # places of spells
    "near": "a quarter of the way to {what}", "half": "half-way to {what}",
    "far": "three quarters of the way to {what}",
    "ahead-10": "10 cm ahead", "ahead-25": "25 cm ahead", "left-10": "10 cm to the left",
    "left-25": "25 cm to the left", "right-10": "10 cm to the right", "right-25": "25 cm to the right",
    "0": "before {what}", "45": "before {what}, right", "90": "to the right of {what}", "135": "behind {what}, right",
    "180": "behind {what}", "225": "behind {what}, left", "270": "to the left of {what}",
    "315": "before {what}, left",
}  # fmt: skip

TEXTS = {
    # names
    "name.of": "{what} of {name}",
    "name.coloured": "{name} ({seat})",
    **{f"word.{word}": word for word in _WORDS},
    **{f"phase.{phase}": text for phase, text in _PHASES.items()},
    **{f"roll.{roll}": text for roll, text in _ROLLS.items()},
    **{f"propose.{name}": text for name, text in _PROPOSALS.items()},
}
