"""Texts of disengaging and pursuit."""

TEXTS = {
    "event.disengage": "{about0} {about0|disengages|disengage}",
    "event.disengage.struck": (
        "{about0} {about0|strikes|strike} at {about1} as {about1|it leaves|they leave} (impact {power})"
    ),
    "event.disengage.hemmed": (
        "{about0} {about0|finds|find} no free way and {about0|goes|go} as far as {about0|it|they} can"
    ),
    "event.pursuit.caught": "{about0} {about0|catches|catch} {about1}: +2 and the first blow next turn",
    "event.pursuit.failed": "{about0} {about0|does|do} not catch {about1}",
    "ask.disengage": "How far {about0|does|do} {about0} get? (1D10 + M)",
    "ask.disengage.unit": "Which unit disengages next?",
    "ask.disengage.direction": "Which way {about0|does|do} {about0} leave?",
    "ask.disengage.hit": "Whom {about0|does|do} {about0} strike on the way out?",
    "ask.pursue": "{about0|Does|Do} {about0} pursue {about1}?",
    "ask.pursuit": "How far {about0|does|do} {about0} pursue? (1D10 + M)",
    "option.pursue": "pursue",
    "option.stay": "stay",
    "refuse.not-engaged": "{unit} {unit|is|are} not in close combat",
    "refuse.surrounded": "{unit} {unit|is|are} surrounded: there is no way out",
    "refuse.defends-position": "{unit} {unit|defends|defend} a position and cannot leave it",
    "refuse.rule-forbids": "{model} has a rule that forbids {unit} to disengage",
    "refuse.caught": "{unit} {unit|was|were} caught and must fight first",
    "refuse.same-turn": "{unit} cannot leave a combat joined this turn",
    "refuse.not-a-bearing": "a direction is a bearing in degrees",
    "refuse.toward-enemy": "{unit} cannot leave toward an enemy {unit|it is|they are} engaged with",
}
