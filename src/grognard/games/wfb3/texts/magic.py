"""What is said in the magic phase."""

TEXTS = {
    "ask.magic.cast": "{seat}: which spell is cast?",
    "ask.magic.target": "{seat}: on whom {about0|does|do} {about0} cast {spell}?",
    "option.magic": "{about0}: {spell} ({cost} {cost|point|points})",
    "roll.magic.hits": "hits of the spell",
    "ask.magic.hits": "{seat}: how many hits?",
    "roll.test.magic": "test to resist magic",
    "ask.test.magic": "{seat}: {about0|does|do} {about0} resist?",
    "refuse.magic.state": "{model} cannot cast spells now",
    "refuse.magic.points": "{model} has not enough magic points for {spell}",
    "refuse.magic.targets": "there is nobody {model} could cast {spell} on",
    "event.spell.cast.on": ("{about0} {about0|casts|cast} {spell} on {about1} ({left} {left|point|points} left)."),
    "event.spell.cast": "{about0} {about0|casts|cast} {spell} ({left} {left|point|points} left).",
    "event.spell.resisted": "{about0} {about0|resists|resist} {spell}.",
    "event.spell.struck": "{about1} {about1|is|are} struck: {hits} {hits|hit|hits}, {dead} dead.",
    "event.spell.healed": "{about0} {about0|is|are} healed.",
    "event.spell.unbound": "The spells on {about0} are broken: {spells}.",
    "event.spell.over": "{spell} on {about0} is over.",
}
