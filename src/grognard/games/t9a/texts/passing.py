"""What it means to decline a question, where that is more than to pass."""

_ANY = "it does not matter"
_NOBODY = "nobody"
_NO_REFORM = "do not reform"

_PASSES = {
    # before the battle
    "ambush.with": "wait apart",
    "deploy.unit": "end this deployment turn",
    "deploy.next": _ANY,
    "join.place": "as near the middle as possible",
    "join.rank": _ANY,
    "vanguard.unit": "no more vanguard moves",
    "vanguard.leave": _NOBODY,
    "vanguard.kind": "end the move here",
    "vanguard.reform": _NO_REFORM,
    # the start of a turn
    "hidden.appear": "stay hidden",
    "hidden.place": _ANY,
    "spoils.take": "take none",
    # charges
    "charge.declare": "declare no more charges",
    "charge.redirect": _NOBODY,
    "charge.new-target": "keep to the first target",
    "charge.first": _ANY,
    "charge.move": "the straightest way",
    "pivot.after": "do not try",
    # moves
    "rally.reform": _NO_REFORM,
    "move.unit": "no other unit moves",
    "move.reform": _NO_REFORM,
    "sweep.target": _NOBODY,
    # units of several kinds of models
    "unit.size": _ANY,
    "unit.type": _ANY,
    "unit.base": _ANY,
    # magic
    "magic.cast": "no more spells",
    "magic.version": "the lowest value",
    "magic.attribute": "do not cast it",
    "magic.move-kind": "no magical move",
    "magic.reform": _NO_REFORM,
    "raise.where": _ANY,
    # shooting
    "shoot.target": "no more shooting",
    "shoot.decline": "all shoot",
    "shoot.breath": "do not breathe",
    "engineer.help": "do not help",
    "engineer.again": "keep the result",
    # combat
    "make.way": "stay in place",
    "duel.challenge": _NOBODY,
    "duel.accept": "refuse the duel",
    "crush.announce": "no crush attack",
    "melee.breath": "do not breathe",
    "nudge.next": _ANY,
    "hits.sure": _ANY,
    "wounds.copy": "the best on average",
    "special.copy": _ANY,
    "casualties.command": _ANY,
    "casualties.end": _ANY,
    "casualties.rear": _ANY,
    "casualties.musician": _ANY,
    "casualties.standard": _ANY,
    "discipline.again": "keep the result",
    "flee.first": _ANY,
    "pursuit.declare": "try to restrain pursuit",
    "overrun": "do not overrun",
    "post.next": _ANY,
    "post.combat": "do nothing",
    "post.pivot": "do not pivot",
    "post.reform": _NO_REFORM,
    "combat.freed": "do nothing",
    "combat-reform.who": "no reform",
    "combat-reform.where": "keep this formation",
}

TEXTS = {f"pass.{name}": text for name, text in _PASSES.items()}
