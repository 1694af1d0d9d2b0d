"""The closed set of questions a rule script may ask.

A script yields a question and gets the answer back. Answers travel as plain JSON (`wire`), and reach
the script decoded. Every question knows its legal answers: `decode` turns a wire answer into the
script's value or raises `Refused`; `refusal` says why not without raising; `sample` gives a legal
wire answer; `forced` gives the answer when only one exists.
"""

from grognard.kernel.questions.base import OPEN, Later, Note, Option, Question, Underway, option
from grognard.kernel.questions.decisions import Judge, Number, Order, Pick, Place, Split
from grognard.kernel.questions.rolls import Alone, Ask, Roll, Script, Settled, Step, Together

__all__ = [
    "OPEN", "Alone", "Ask", "Judge", "Later", "Note", "Number", "Option", "Order", "Pick", "Place", "Question", "Roll",
    "Script", "Settled", "Split", "Step", "Together", "Underway", "option",
]  # fmt: skip
