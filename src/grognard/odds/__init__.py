"""The odds desk: exact answers to 'how likely is that?', as values, tables, JSON and pictures.

A game says what can be asked (`ruleset.odds_questions`) and answers with the steps its battles roll
(`ruleset.weigh`); nothing here knows a rule of its own.
"""

from grognard.kernel.odds.odds import Odds, OddsArgument, OddsQuestion, OddsStep
from grognard.odds.ask import Line, ask, compare, from_words, question_of
from grognard.odds.picture import write_picture
from grognard.odds.plain import exact, plain
from grognard.odds.table import comparison_table, percent, questions_table, tables

__all__ = [
    "Line", "Odds", "OddsArgument", "OddsQuestion", "OddsStep", "ask", "compare", "comparison_table", "exact",
    "from_words", "percent", "plain", "question_of", "questions_table", "tables", "write_picture",
]  # fmt: skip
