"""Words that facts hold and sentences show: rolls, tests, sides, phases, equipment, and the names on our cards."""

_WORDS = (
    # sides, halves of the table, reactions, ways to deploy, kinds of hits
    "front", "rear", "lower", "upper", "stand", "scout", "ambush", "reserve",
    "impact", "grind", "stomp", "breath",
    # misfires and modifiers
    "explosion", "critical failure", "jammed", "malfunction", "soft cover", "hard cover",
    "3 dice", "5 dice", "Flux Card 1", "Flux Card 8",
    # deployment types and secondary objectives
    "Frontline Clash", "Dawn Assault", "Counterthrust", "Encircle", "Refused Flank", "Marching Columns",
    "Hold the Ground", "Breakthrough", "Spoils of War", "King of the Hill", "Capture the Flags", "Secure Target",
    "spoils", "target",
    # spells
    "Augment", "Aura", "Damage", "Direct", "Focused", "Caster", "Hex", "Ground", "Missile", "Caster's Unit",
    "Universal", "Instant", "One Turn", "Permanent", "Hits", "wounds on", "magical move", "recovered", "raised",
    "veil tokens", "summoned", "panic test", "Strength test", "Agility test", "Resilience test", "Discipline test",
    # how volleys and rounds of combat end
    "stands", "broken", "destroyed", "steady", "still fleeing", "panic test passed", "panics",
    # army lists
    "general", "battle standard", "champion", "musician", "standard", "apprentice", "adept", "master", "weapon",
    "Characters", "Core", "Special", "Engines", "Great Beasts", "Wonders", "Embers", "Tides", "Barrows",
    # units of our army books
    "League Captain", "League Mage", "Master Gunner", "Masked Blade", "Relic Wagon", "Warhorse", "Griffon",
    "League Spears", "City Swords", "Ogre Guards", "Great Cannon", "Fire Engine", "Militia",
    "Barrow King", "Grave Singer", "Wight Bearer", "Bone Steed", "Wyrm of Bones", "Barrow Dead", "Bone Archers",
    "Hill Wolves", "Mist Shades", "Bone Chariots", "Barrow Trolls", "Hill Giant", "Spawn of the Deep",
    "Carrion Birds", "Tunnel Ghasts", "Dirge Choir",
    # Special Items of ours
    "Oathbreaker Edge", "Saint's Brand", "Adder's Fang", "Quick Blade", "Bitter Venom", "Hawkeye Charm",
    "Ramkin Plate", "Shield of the Ninth Gate", "Fireproof Mail", "Banner of the Open Road", "Banner of Embers",
    "Banner of Resolve", "Banner of Haste", "Amulet of Glass", "Warding Stone", "Lantern of Scouts", "Wand of Darts",
    "Horn of the Drowned", "Crown of Command", "Salve of the Spring", "Second Salve", "Cloak of Mist",
)  # fmt: skip

_TESTS = {
    "break": "break test", "combat-reform": "combat reform test", "fear": "fear test", "frenzy": "frenzy test",
    "march": "march test", "panic": "panic test", "pivot": "discipline test", "rally": "rally test",
    "redirect": "redirect test", "restrain": "restraint test", "agi": "Agility test", "dis": "Discipline test",
    "res": "Resilience test", "str": "Strength test",
}  # fmt: skip

#: Armour and weapons: options of a list, and what a unit may choose to fight with.
_EQUIPMENT = (
    "Light Armour", "Heavy Armour", "Plate Armour",
    "Hand Weapon", "Great Weapon", "Halberd", "Spear", "Lance", "Light Lance", "Paired Weapons",
    "Crossbow", "Bow", "Longbow", "Throwing Weapons", "Handgun", "Pistol",
)  # fmt: skip

_ROLLS = {
    # before the battle
    "terrain.number": "number of extra features",
    "terrain.kind": "kind of terrain",
    "terrain.section": "section of the table",
    "terrain.distance": "how far it is moved",
    "direction": "random direction",
    "deployment.type": "deployment type",
    "objective.type": "secondary objective",
    "objective.which": "marker it counts for",
    "zone.roll": "choice of zone",
    "first.roll": "first turn",
    # moving
    "charge.range": "charge range",
    "charge.range.again": "charge range, again",
    "random.distance": "random movement",
    "flee": "flee distance",
    "flee.which": "enemy fled from",
    "pursue": "pursuit distance",
    "overrun": "overrun",
    "ambush.arrive": "arrival",
    "dangerous": "dangerous terrain",
    "sweep.hits": "hits in passing",
    # tests
    "characteristic": "characteristic test",
    "fear": "fear test",
    "fear.again": "fear test, again",
    "panic": "panic test",
    "panic.again": "panic test, again",
    "break": "break test",
    "break.again": "break test, again",
    "restrain": "restraint",
    "restrain.again": "restraint, again",
    "combat-reform": "combat reform test",
    "combat-reform.again": "combat reform test, again",
    "redirect": "redirect test",
    "redirect.again": "redirect test, again",
    "pivot": "discipline test",
    "pivot.again": "discipline test, again",
    "frenzy": "frenzy test",
    "frenzy.again": "frenzy test, again",
    "rally": "rally test",
    "rally.again": "rally test, again",
    "march": "march test",
    "march.again": "march test, again",
    # magic
    "flux.draw": "Flux card, by its place in the pack",
    "flux.low": "flux die",
    "flux.high": "second flux die",
    "veil.extra": "extra veil tokens",
    "magic.roll": "casting roll",
    "magic.dispel.roll": "dispel roll",
    "magic.hits": "hits of the spell",
    "magic.recover": "health points recovered",
    "magic.raise": "health points raised",
    "miscast.hits": "hits of the miscast",
    # shooting
    "shots": "number of shots",
    "shot.hit": "to hit",
    "shot.hopeless": "hopeless shots",
    "volley-gun.shots": "shots",
    "artillery.hit": "to hit",
    "flamethrower.fire": "flamethrower",
    "flamethrower.hits": "hits of the flamethrower",
    "flamethrower.more": "more hits of the flamethrower",
    "misfire": "misfire",
    "misfire.again": "misfire, again",
    "explosion.radius": "reach of the explosion",
    "breath.hits": "hits of the breath",
    # combat
    "attacks": "number of attacks",
    "melee.hit": "to hit",
    "melee.hit.again": "to hit, again",
    "wound": "to wound",
    "wound.again": "to wound, again",
    "wound.multiple": "multiple wounds",
    "save.armour": "armour save",
    "save.aegis": "aegis save",
    "save.aegis.again": "aegis save, again",
    "save.fortitude": "fortitude save",
    "impact.hits": "impact hits",
    "grind.hits": "grinding hits",
    "stomp.hits": "stomps",
}

TEXTS = {
    **{f"word.{word}": word for word in _WORDS},
    **{f"roll.test.{test}": text for test, text in _TESTS.items()},
    **{f"option.{name}": name for name in _EQUIPMENT},
    **{f"roll.{roll}": text for roll, text in _ROLLS.items()},
}
