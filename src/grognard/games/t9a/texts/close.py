"""What is said of charges made together, of reforms in combat and of who pursues."""

TEXTS = {
    "ask.charge.secondary.which": "{seat}: which others does {about0} charge as well?",
    "ask.combat-reform.order": "{seat}: in which order do the units reform?",
    "ask.flee.order": "{seat}: in which order do the broken units flee?",
    "ask.pursuit.order": "{seat}: in which order do the pursuers move?",
    "ask.pursuit.forced": "{seat}: whom does {about0} pursue, as it must?",
    "event.combat-reform.undone": "The reforms are taken back; an enemy model was left without contact.",
    "refuse.charge.turned": "{target} would have to turn further than it must for {unit}",
    "refuse.charge.blocked-path": "along a blocked path {unit} goes straight ahead",
    "refuse.charge.room-for-all": "{unit} would leave too little room for the others who charge {target}",
}
