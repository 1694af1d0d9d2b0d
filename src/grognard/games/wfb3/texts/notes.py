"""What one should know where one chooses: what it costs, what it risks, what it does."""

TEXTS = {
    "note.spell.reach": "reaches {reach} {reach|inch|inches}",
    "note.missile": "range {range} {range|inch|inches}, strength {strength}",
    "note.engine": "range {range} {range|inch|inches}, strength {strength}, wounds {wounds}",
    "note.engine.lobs": (
        "range {least} to {range} inches, strength {strength}, wounds {wounds}, a template {radius} "
        "{radius|inch|inches} in radius"
    ),
    "note.tests": "{tests} {tests|test|tests} of Ld on the way; if one fails, the unit halts there",
    "note.in-the-way": "in the way, where the unit stops: {others}",
    "note.slow": "slow ground, so that it may not get so far: {others}",
    "note.crossing": "crossed for half the move each, or the unit stops before it: {others}",
    "note.aim.blind": "the crew do not see this place: the shot is blind and drifts further",
    "note.aim.friends": "friends are there: {units}",
    "note.line.friends": "friends stand on the line: {units}",
    "note.manoeuvres": "one wheel, turn or change of files is free; a second and third need a leader and a test of Ld",
    "note.loose": "turns as it likes",
    "note.complex": "needs a leader and a test of Ld; if it fails, the unit halts",
    "note.square": "no flanks and no rear, but no move either",
    "note.testudo": "saves better by 2, half the move, until it comes to blows",
    "note.missile-wedge": "more can shoot, but it does not move",
    "note.shield-wall": "saves better by 1; no move and no shooting",
    "note.answer.hold": "fights where it stands",
    "note.answer.shoot": "after a test of Ld, at -1 to hit; if it fails, the unit holds",
    "note.answer.flee": "runs its double move after a test of Ld; if it fails, it is in rout",
    "note.restrain": "needs a test of Ld; if it fails, the unit pursues",
    "note.withdraw": "the double move straight off, then a test of Ld; failed, or caught by the enemy, it is in rout",
    "note.fall-back": "its move in any direction, facing as you like; it stays disordered",
    "note.reform": "in order again at the end of the phase, drawn up as you like",
    "note.challenge.refuse": "does not fight this round; a leader loses 1 Ld for the rest of the battle",
}
