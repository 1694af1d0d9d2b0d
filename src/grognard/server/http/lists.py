"""HTTP: games, armies, rules, texts and odds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from grognard import games, muster
from grognard.kernel.data.rulebook import Rule
from grognard.kernel.data.setups import scenario_fact
from grognard.kernel.ruleset import Ruleset
from grognard.kernel.words.texts import KERNEL_TEXTS, LANGUAGES, catalogue, gettext
from grognard.players import PLAYERS
from grognard.server.http import wire
from grognard.server.http.endpoints import (  # fmt: skip
    JSON,
    LANG,
    Endpoint,
    Query,
    Trouble,
    answer,
    attended,
    body,
    language,
    taken,
)
from grognard.server.http.guard import visitor
from grognard.server.jobs import jobs
from grognard.server.jobs.allowances import Allowances
from grognard.server.jobs.making import game_named
from grognard.server.jobs.workers import Workers
from grognard.server.playing.dice import PERSON
from grognard.server.playing.hands import Hands

GAME = {"game": {"type": "string", "minLength": 1}}
MAX_RULES = 60
MAX_ARMY = 512 * 1024


def _both(text: str, game: str) -> wire.Both:
    return {lang: gettext(text, lang, game) for lang in LANGUAGES}


# ---------------------------------------------------------------------- games and armies


@lru_cache(maxsize=64)
def game_info(ruleset: Ruleset) -> wire.GameInfo:
    house = [
        wire.HouseInfo(
            rule.name,
            rule.default,
            list(rule.choices),
            _both(rule.about, ruleset.id),
            rule.rule,
            _labels(ruleset, rule.name, rule.choices),
        )
        for rule in ruleset.house_rules.values()
    ]
    defaults = ruleset.house_rules_from({})
    return wire.GameInfo(
        ruleset.id, ruleset.title, ruleset.unit, ruleset.complete, ruleset.tools.no_measuring(defaults) is None,
        bool(ruleset.referee), ruleset.seats, [_scenario(ruleset, key) for key in ruleset.scenarios], house,
        [PERSON, *PLAYERS],
    )  # fmt: skip


def _labels(ruleset: Ruleset, rule: str, choices: Sequence[Any]) -> dict[str, wire.Both]:
    """What the choices of a house rule are called: the text `house.RULE.CHOICE`."""
    codes = {str(choice): f"house.{rule}.{choice}" for choice in choices}
    return {choice: _both(ruleset.texts[code], ruleset.id) for choice, code in codes.items() if code in ruleset.texts}


def _scenario(ruleset: Ruleset, key: str) -> wire.ScenarioInfo:
    """A scenario; without a summary of its own, the rule that says how it is won."""
    scenario = ruleset.scenarios[key]
    french = scenario_fact(scenario, "french")
    titles = _both(scenario_fact(scenario, "title", "name") or key, ruleset.id) | ({"fr": french} if french else {})
    summary = scenario_fact(scenario, "summary")
    rule = ruleset.rulebook.by_id.get(scenario_fact(scenario, "victory", "rule"))
    said = _both(summary, ruleset.id) if summary or rule is None else {lang: rule.told(lang) for lang in LANGUAGES}
    return wire.ScenarioInfo(key, titles, said)


@lru_cache(maxsize=64)
def army_infos(ruleset: Ruleset) -> list[wire.ArmyInfo]:
    found = []
    for name in ruleset.armies():
        army = muster.check(ruleset, name)
        lines = {
            lang: ", ".join(f"{line.count} {gettext(line.name, lang, ruleset.id)}" for line in army.lines)
            for lang in LANGUAGES
        }
        titles = {lang: gettext(army.title(lang), lang, ruleset.id) for lang in LANGUAGES}
        models = sum(line.count for line in army.lines)
        faction = _both(str(army.list.get("faction") or ""), ruleset.id)
        found.append(wire.ArmyInfo(name, titles, faction, army.points, models, lines))
    return found


# ---------------------------------------------------------------------- rules and texts


def rule_info(rule: Rule) -> wire.RuleInfo:
    titles, said = {lang: rule.title(lang) for lang in LANGUAGES}, {lang: rule.told(lang) for lang in LANGUAGES}
    return wire.RuleInfo(rule.id, titles, said, rule.kind)


def rules_found(ruleset: Ruleset, words: str) -> list[wire.RuleInfo]:
    """Rules whose id, titles or summary hold all the words."""
    wanted = words.casefold().split()
    hits = []
    for rule in ruleset.rulebook.rules:
        if all(word in rule.words for word in wanted):
            hits.append(rule_info(rule))
    return hits[:MAX_RULES] if wanted else hits


class Lists:
    """The endpoints that need no match."""

    def __init__(self, hands: Hands, workers: Workers, allowances: Allowances) -> None:
        self.hands = hands
        self.workers = workers
        self.allowed = allowances

    def endpoints(self) -> list[Endpoint]:
        words = Query({"type": "string", "maxLength": 80}, "The game whose words come first.")
        text = Query({"type": "string", "maxLength": 200}, "Words a rule holds.")
        rule = {**GAME, "rule": {"type": "string", "minLength": 1}}
        lang = {"lang": {"type": "string", "enum": list(LANGUAGES)}}
        return [
            Endpoint("GET", "/api/games", self.games, "The games there are.", list[wire.GameInfo]),
            Endpoint("GET", "/api/games/{game}/armies", self.armies, "Starter armies of a game.", list[wire.ArmyInfo],
                     paths=GAME, problems=(404,)),
            Endpoint("GET", "/api/games/{game}/armies/{army}", self.army, "The list of a starter army, to change.", str,
                     paths={**GAME, "army": {"type": "string", "minLength": 1}}, media="text/plain", problems=(404,)),
            Endpoint("POST", "/api/games/{game}/muster", self.muster, "Check an army list by the rules.", wire.Mustered,
                     takes="text/plain", limit=MAX_ARMY, query=LANG, paths=GAME, problems=(404,)),
            Endpoint("GET", "/api/games/{game}/rules", self.rules, "Rules that hold some words; all without.",
                     list[wire.RuleInfo], query={"q": text}, paths=GAME, problems=(404,)),
            Endpoint("GET", "/api/games/{game}/rules/{rule}", self.rule, "One rule by its id.", wire.RuleInfo,
                     paths=rule, problems=(404,)),
            Endpoint("GET", "/api/games/{game}/texts/{lang}", self.texts, "Every text of a game by its code.",
                     dict[str, str], paths={**GAME, **lang}, problems=(404,)),
            Endpoint("GET", "/api/catalogue/{lang}", self.catalogue, "English sentences and their translations.",
                     dict[str, str], paths=lang, query={"game": words}, problems=(404,)),
            Endpoint("POST", "/api/games/{game}/odds", self.odds, "Exact odds, by the steps a battle rolls.",
                     dict[str, Any], takes=wire.AskOdds, limit=64 * 1024, query=LANG, paths=GAME, problems=(404,)),
        ]  # fmt: skip

    async def games(self, request: Request) -> Response:
        return answer(await self.hands.do(lambda: [game_info(games.RULESETS[game]) for game in games.RULESETS]))

    async def armies(self, request: Request) -> Response:
        return answer(await self.hands.do(army_infos, game_named(request.path_params["game"])))

    async def army(self, request: Request) -> Response:
        ruleset, name = game_named(request.path_params["game"]), request.path_params["army"]
        found = ruleset.armies().get(name)
        if found is None:
            raise Trouble(404, "no-army", "{game} has no starter army {name}", game=ruleset.id, name=name[:80])
        return Response(await self.hands.do(found.read_text, "utf-8"), media_type="text/plain")

    async def muster(self, request: Request) -> Response:
        ruleset, lang = game_named(request.path_params["game"]), language(request)
        kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
        if kind not in ("text/plain", "text/yaml", "application/yaml"):
            raise Trouble(415, "media-type", "the army list must be text/plain")
        text = (await body(request, MAX_ARMY)).decode("utf-8", "replace")
        who = visitor(request.scope)
        job = self.workers.run(who, self.allowed.muster, jobs.muster, ruleset.id, text, lang)
        return _ready(await attended(request, job))

    async def rules(self, request: Request) -> Response:
        ruleset, words = game_named(request.path_params["game"]), request.query_params.get("q", "")
        return answer(rules_found(ruleset, words[:200]))

    async def rule(self, request: Request) -> Response:
        ruleset, name = game_named(request.path_params["game"]), request.path_params["rule"]
        book = ruleset.rulebook.by_id
        found = book.get(name) or book.get(f"{ruleset.id}:{name}")
        if found is None:
            raise Trouble(404, "no-rule", "{game} has no rule {name}", game=ruleset.id, name=name[:80])
        return answer(rule_info(found))

    async def texts(self, request: Request) -> Response:
        ruleset, lang = game_named(request.path_params["game"]), _language_in_path(request)
        both = {**KERNEL_TEXTS, **ruleset.texts}
        return answer({code: gettext(template, lang, ruleset.id) for code, template in both.items()})

    async def catalogue(self, request: Request) -> Response:
        lang, game = _language_in_path(request), request.query_params.get("game", "")
        if game:
            game_named(game)
        return answer(dict(await self.hands.do(catalogue, lang, game)))

    async def odds(self, request: Request) -> Response:
        ruleset = game_named(request.path_params["game"])
        language(request)
        asked: wire.AskOdds = await taken(request, wire.AskOdds, 64 * 1024)
        who = visitor(request.scope)
        job = self.workers.run(who, self.allowed.odds, jobs.weigh, ruleset.id, asked.question, asked.arguments)
        return _ready(await attended(request, job))


def _ready(made: bytes) -> Response:
    """JSON that a worker has written."""
    return Response(made, 200, {"cache-control": "no-store"}, JSON)


def _language_in_path(request: Request) -> str:
    lang = str(request.path_params["lang"])
    if lang not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise Trouble(404, "language", "there is no language {name}; there are {known}", name=lang[:40], known=known)
    return lang
