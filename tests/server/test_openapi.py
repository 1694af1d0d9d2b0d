"""The API against requests made from its own description."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.config import SchemathesisConfig
from schemathesis.core.result import Ok

from tests.server.conftest import Running, Serve
from tests.server.test_play import HUMANS


@pytest.fixture
def running(serve: Serve, sqlite: str) -> Running:
    return serve(sqlite)


def test_the_description_names_every_door(running: Running) -> None:
    document = running.visitor.get("/api/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    assert set(document["paths"]) >= {"/api/games", "/api/matches", "/api/seats/{token}/moments/{n}"}
    for path, operations in document["paths"].items():
        for operation in operations.values():
            assert operation["summary"].endswith("."), path


def test_requests_made_from_the_description(running: Running) -> None:
    """Whatever fits the description is answered as described; whatever does not is refused; nothing breaks."""
    made = running.visitor.match(game="toy", players=HUMANS)
    schema = schemathesis.openapi.from_url(f"{running.address}api/openapi.json", config=_quiet())
    known = {"token": made["links"]["red"], "game": "toy", "rule": "toy:1", "lang": "fr", "n": 0}
    tried = 0
    for result in schema.get_all_operations():
        assert isinstance(result, Ok)
        operation = result.ok()

        @settings(
            max_examples=12, deadline=None, database=None, derandomize=True, phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(case=operation.as_strategy())
        def check(case: Any) -> None:
            nonlocal tried
            tried += 1
            if tried % 3:  # else strangers' names, which lead nowhere
                case.path_parameters = {
                    key: known.get(key, value) for key, value in (case.path_parameters or {}).items()
                }
            response = case.call(base_url=running.address)
            case.validate_response(response, excluded_checks=_not_ours())

        check()
    assert tried > 100


def _quiet() -> Any:
    return SchemathesisConfig()


def _not_ours() -> list[Any]:
    from schemathesis.checks import CHECKS

    return [check for name in ("positive_data_acceptance",) for check in CHECKS.get_by_names([name])]
