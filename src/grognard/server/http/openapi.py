"""The OpenAPI description, made from the endpoints themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from grognard import __version__
from grognard.server.http.endpoints import JSON, Endpoint
from grognard.server.http.wire import Wrong

WHY = {
    400: "The request is wrong; the sentence says how.",
    403: "That is not for whoever asks.",
    404: "There is nothing of that name.",
    408: "The body did not come in time.",
    409: "The rules, or the match as it stands, do not allow it.",
    410: "It is gone for good.",
    413: "The body is too large.",
    415: "The body is not of the right kind.",
    429: "Too many requests.",
}


def describe(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """The whole document."""
    bodies = [e.takes for e in endpoints if e.takes is not None and not isinstance(e.takes, str)]
    types = [*(e.answers for e in endpoints if e.media == JSON), *bodies, Wrong]
    schemas, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    by_type = {repr(kind): schema for kind, schema in zip(types, schemas, strict=True)}
    paths: dict[str, Any] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint, by_type)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Grognard", "version": __version__},
        "paths": paths,
        "components": {"schemas": components},
    }


def _operation(endpoint: Endpoint, schemas: dict[str, Any]) -> dict[str, Any]:
    wrong = {JSON: {"schema": schemas[repr(Wrong)]}}
    shape = schemas[repr(endpoint.answers)] if endpoint.media == JSON else {"type": "string"}
    statuses = sorted({*endpoint.problems, 400, 429} | ({408, 413, 415} if endpoint.takes is not None else set()))
    found: dict[str, Any] = {
        "operationId": f"{endpoint.method.lower()}{re.sub(r'[^a-z]+', '_', endpoint.path)}",
        "summary": endpoint.about,
        "parameters": _parameters(endpoint),
        "responses": {
            str(endpoint.status): {"description": endpoint.about, "content": {endpoint.media: {"schema": shape}}},
            **{str(status): {"description": WHY[status], "content": wrong} for status in statuses},
        },
    }
    if endpoint.takes is not None:
        text = isinstance(endpoint.takes, str)
        media = endpoint.takes if text else JSON
        schema = {"type": "string"} if text else schemas[repr(endpoint.takes)]
        found["requestBody"] = {"required": True, "content": {media: {"schema": schema}}}
    return found


def _parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": endpoint.paths.get(name, {"type": "string"})}
        for name in re.findall(r"{(\w+)}", endpoint.path)
    ]
    for name, query in endpoint.query.items():
        found.append({"name": name, "in": "query", "description": query.about, "schema": query.schema})
    return found
