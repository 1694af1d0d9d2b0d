"""Texts of the shooting phase."""

TEXTS = {
    "event.shot.volley": "{about0} {about0|shoots|shoot} at {about1}",
    "event.shot.declined": "{about0} {about0|does|do} not shoot into the melee of {about1}",
    "event.shot.unseen": "{about0} {about0|has|have} no line of sight to {about1} and {about0|does|do} not shoot",
    "event.shot.wasted": "{about0} {about0|shoots|shoot} at {about1} beyond {about0|its|their} range: wasted",
    "event.shot.missed": "{about0} {about0|misses|miss} {about1}",
    "event.shot.hit": "{about0} {about0|hits|hit} {about1}",
    "event.shot.friend": "{about0} {about0|hits|hit} a friend: {about1}",
    "event.shot.spare": "{about0} {about0|has|have} nobody left in sight to hit in {about1}",
    "event.shot.proof": "The shot {about0|does|do} {about0} no harm",
    "ask.shoot.unit": "Which unit shoots next?",
    "ask.shoot.into-melee": (
        "{about1} {about1|has|have} become engaged since the order: {about0|does|do} {about0} still shoot?"
    ),
    "ask.accuracy": "Accuracy of {about0}",
    "ask.shot.casualty": "Which of the equally near models of {about0} is hit?",
    "ask.shot.random": "Who in the melee is hit?",
    "option.shoot-unit": "{unit} at {target}",
    "option.hold-fire": "hold fire",
    "refuse.moved-far": "{unit} {unit|has|have} moved too far to shoot",
    "refuse.no-retarget": "{unit} {unit|is|are} gone, and another target cannot be chosen",
}
