"""Texts of courage and fear."""

TEXTS = {
    "event.courage.firm": "{about0} {about0|needs|need} not test {about0|its|their} courage",
    "event.courage.passed": "{about0} {about0|keeps|keep} {about0|its|their} courage ({face} against {courage})",
    "event.courage.failed": "{about0} {about0|loses|lose} courage ({face} against {courage})",
    "event.fear.charger": "{about0} {about0|dares|dare} not charge {about1}",
    "event.fear.terror": "{about0} {about0|is|are} terrified of {about1}",
    "event.fear.shaken": "{about0} {about0|is|are} shaken by {about1}: -1 to combat rolls and courage in this combat",
    "event.losses.outdone": (
        "{about0} lost {lost} {lost|model|models}, but {about0|its|their} combat calls for no test of it"
    ),
    "ask.courage": "Courage test of {about0}",
    "ask.fear": "Fear test of {about0}",
    "ask.courage.whose": "Whose courage {about0|does|do} {about0} test?",
    "option.courage-of": "{model}",
}
