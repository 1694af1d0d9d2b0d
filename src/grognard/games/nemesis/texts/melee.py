"""Texts of the combat phase."""

TEXTS = {
    "event.attack.missed": "{about0} misses {about1}",
    "event.attack.blocked": "{about1} blocks the attack of {about0}",
    "event.attack.resisted": "{about0} hits {about1}, who resists",
    "event.attack.survived": "{about0} hits {about1}, who survives",
    "event.attack.wounded": "{about0} wounds {about1}",
    "event.attack.lost": "The attack of {about0} is lost: {about1} is gone",
    "event.hypnotism.immune": "{about0} cannot be hypnotised",
    "event.hypnotism.held": "{about0} is hypnotised by {about1}",
    "ask.hypnotism": "Courage of {about0} against Hypnotism",
    "ask.hypnotism.use": "Use the Hypnotism of {about0}?",
    "ask.combat.hold": "Which of your models do not attack? (none named: all attack)",
    "ask.combat.target": "Whom does {about0} attack?",
    "ask.combat.split": "How does {about0} share its attacks?",
    "ask.combat.extra": "One more attack of {about0} with the bonus die of Hardened?",
    "ask.combat.attack": "Combat roll of {about0}: attack",
    "ask.combat.defence": "Combat roll of {about0}: defence",
    "ask.corruption.swap": "Swap the dice ({attack} and {defence}) by Corruption of {about0}?",
    "option.hypnotism": "use it",
    "option.corruption-swap": "swap the dice",
}
