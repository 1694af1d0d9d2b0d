"""What the toy game says, in English and French."""

from __future__ import annotations

_SENTENCES = {
    "event.takes-place": ("{about0} takes place with strength {strength}", "{about0} prend place, force {strength}"),
    "event.trap-laid": ("{about0} lays the trap on the {side}", "{about0} tend le piège : {side}"),
    "event.trap-hidden": ("{about0} has laid a trap", "{about0} a tendu un piège"),
    "event.trap-shown": ("{about0}'s trap was on the {side}", "le piège de {about0} : {side}"),
    "event.set-aside": ("{about0} sets {card} aside", "{about0} met {card} de côté"),
    "event.bids-made": ("all bids are made", "toutes les enchères sont faites"),
    "event.revealed": ("{about0} shows {cards}", "{about0} montre {cards}"),
    "event.outbid": ("{about0} bids highest", "{about0} l'emporte aux enchères"),
    "event.order-given": ("{about0} gives the order {order}", "{about0} donne l'ordre {order}"),
    "event.marched": ("{about0} marches to {x}, {y}", "{about0} marche jusqu'à {x}, {y}"),
    "event.supplied": ("{about0} supplies wall {wall} and gate {gate}", "{about0} ravitaille mur {wall}, porte {gate}"),
    "event.guessed": ("{about0} guessed {guess} rightly", "{about0} avait parié {guess}"),
    "event.struck": ("{about0} strikes {about1}, who loses {lost}", "{about0} frappe {about1}, qui perd {lost}"),
    "event.stumbled": ("{about0} stumbles", "{about0} trébuche"),
    "event.ended": ("the game is over; winner: {winner}", "la partie est finie ; vainqueur : {winner}"),
    "ask.trap.lay": ("{seat}, where do you lay the trap?", "{seat}, où tendez-vous le piège ?"),
    "ask.bid.card": ("{seat}, which card do you bid?", "{seat}, quelle carte misez-vous ?"),
    "ask.march.order": ("{seat}, who marches when?", "{seat}, qui marche quand ?"),
    "ask.march.move": ("{seat}, where do you march?", "{seat}, où marchez-vous ?"),
    "ask.march.supply": ("{seat}, share three loads", "{seat}, partagez trois charges"),
    "ask.strike.target": ("{seat}, whom do you strike?", "{seat}, qui frappez-vous ?"),
    "ask.strike.boosts": ("{seat}, which boosts do you spend?", "{seat}, quels renforts dépensez-vous ?"),
    "ask.strike.guess": ("{seat}, guess the roll", "{seat}, pariez sur le jet"),
    "ask.strike.roll": ("{seat} strikes {about0}: roll", "{seat} frappe {about0} : lancez"),
    "ask.strike.damage": ("{seat} rolls the damage", "{seat} lance les dégâts"),
    "roll.strike.roll": ("strike against {about1}", "assaut contre {about1}"),
    "roll.strike.damage": ("damage", "dégâts"),
    "refuse.off-table": ("the path leaves the table", "le chemin sort de la table"),
    "refuse.too-far": ("the path is longer than {reach}", "le chemin dépasse {reach}"),
    "refuse.self": ("nobody strikes himself", "nul ne se frappe soi-même"),
    "result.points": ("most points", "le plus de points"),
    "side.left": ("left", "gauche"),
    "side.right": ("right", "droite"),
    "house.bold": ("captains march further", "les capitaines marchent plus loin"),
    "house.rounds": ("how many rounds are played", "le nombre de tours joués"),
}

TEXTS = {code: english for code, (english, _) in _SENTENCES.items()}
FRENCH = dict(_SENTENCES.values())
