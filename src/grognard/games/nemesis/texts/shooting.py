"""Texts of the shooting phase."""

TEXTS = {
    "event.shot.volley": "{about0} shoots at {about1}",
    "event.shot.declined": "{about0} does not shoot into the melee of {about1}",
    "event.shot.unseen": "{about0} has no line of sight to {about1} and does not shoot",
    "event.shot.wasted": "{about0} shoots at {about1} beyond its range: wasted",
    "event.shot.missed": "{about0} misses {about1}",
    "event.shot.hit": "{about0} hits {about1}",
    "event.shot.friend": "{about0} hits a friend: {about1}",
    "event.shot.spare": "{about0} has nobody left in sight to hit in {about1}",
    "event.shot.proof": "The shot does {about0} no harm",
    "ask.shoot.unit": "Which unit shoots next?",
    "ask.shoot.into-melee": "{about1} has become engaged since the order: does {about0} still shoot?",
    "ask.accuracy": "Accuracy of {about0}",
    "ask.shot.casualty": "Which of the equally near models of {about0} is hit?",
    "ask.shot.random": "Who in the melee is hit?",
    "option.shoot-unit": "{unit} at {target}",
    "option.hold-fire": "hold fire",
    "refuse.moved-far": "{unit} has moved too far to shoot",
    "refuse.no-retarget": "{unit} is gone, and another target cannot be chosen",
}
