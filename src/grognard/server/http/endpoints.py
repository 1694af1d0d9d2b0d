"""How HTTP endpoints are written here: a path, what is taken, what is answered; one table for routes and OpenAPI."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from grognard.kernel.data.typed import decode
from grognard.kernel.errors import GrognardError, Refused
from grognard.kernel.words.texts import LANGUAGES, told
from grognard.server.http.wire import Problem, Wrong

JSON = "application/json"
T = TypeVar("T")
#: Where the guard notes how many seconds a body may take.
PATIENCE = "grognard.patience"
#: Where refusals are counted, by code.
REFUSED = "grognard.refused"
_encode = msgspec.json.Encoder().encode


class Query(NamedTuple):
    """One thing that may stand after the question mark."""

    schema: dict[str, Any]
    about: str


class Endpoint(NamedTuple):
    """One door. `takes` is the type of a JSON body, or a media type; `limit` its largest size in bytes."""

    method: str
    path: str
    handler: Callable[[Request], Awaitable[Response]]
    about: str
    answers: Any
    takes: Any = None
    limit: int = 0
    query: Mapping[str, Query] = {}
    paths: Mapping[str, dict[str, Any]] = {}
    status: int = 200
    media: str = JSON
    problems: tuple[int, ...] = (400,)


LANG = {"lang": Query({"type": "string", "enum": list(LANGUAGES)}, "The language of sentences.")}


class Trouble(GrognardError):
    """An error with its HTTP status and a code for programs."""

    def __init__(self, status: int, code: str, sentence: str, **facts: Any) -> None:
        super().__init__(sentence, **facts)
        self.status = status
        self.code = code


def language(request: Request) -> str:
    """The language asked for; English unless we speak the other."""
    wanted = request.query_params.get("lang", "en")
    if wanted not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise Trouble(400, "language", "there is no language {name}; there are {known}", name=wanted[:40], known=known)
    return wanted


def answer(value: Any, status: int = 200) -> Response:
    """Plain data as JSON; nothing with secrets in it is ever cached."""
    return Response(_encode(value), status, {"cache-control": "no-store"}, JSON)


async def body(request: Request, limit: int) -> bytes:
    """The whole body, within a limit and within its time."""
    size = request.headers.get("content-length", "0")
    if not size.isdecimal() or int(size) > limit:
        raise _too_large(limit)
    found = bytearray()
    try:
        async with asyncio.timeout(request.scope.get(PATIENCE)):
            async for part in request.stream():
                found += part
                if len(found) > limit:
                    raise _too_large(limit)
    except TimeoutError:
        raise Trouble(408, "too-slow", "the rest of the request did not come in time") from None
    return bytes(found)


def _too_large(limit: int) -> Trouble:
    return Trouble(413, "too-large", "that is larger than {size} KiB", size=limit // 1024)


async def attended(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Work for whoever asked, given up when nobody waits for it any more."""
    working, leaving = asyncio.create_task(work), asyncio.create_task(_gone(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _gone(request: Request) -> None:
    """Until the client is."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def taken(request: Request, kind: type[Any], limit: int) -> Any:
    """A JSON body of a type; what is wrong is told."""
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != JSON:
        raise Trouble(415, "media-type", "the request must be application/json")
    raw = await body(request, limit)
    try:
        return decode(raw, kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Trouble(400, "bad-request", "the request cannot be read: {problem}", problem=str(error)[:300]) from None


def problem_response(request: Request, error: Exception) -> Response:
    """Whatever went wrong as the one form of errors, in the language that was asked for; it is counted."""
    wanted = request.query_params.get("lang", "en")
    lang = wanted if wanted in LANGUAGES else "en"
    if isinstance(error, Trouble):
        status, problem = error.status, Problem(told(error, lang), error.code, words=_every(error))
    elif isinstance(error, Refused):
        status, problem = 409, Problem(str(error), "refused", error.refusal.rule)
    elif isinstance(error, GrognardError):
        status, problem = 400, Problem(told(error, lang), "bad-input", words=_every(error))
    else:
        bug = Trouble(500, "bug", "this is a bug of Grognard; please report it")
        status, problem = bug.status, Problem(told(bug, lang), bug.code, words=_every(bug))
    request.scope.get(REFUSED, Counter())[problem.code] += 1
    return answer(Wrong(problem), status)


def _every(error: GrognardError) -> dict[str, str]:
    return {lang: told(error, lang) for lang in LANGUAGES}


def guarded(handler: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """A handler whose errors are told in the one form; bugs are left to the server's log."""

    async def handle(request: Request) -> Response:
        try:
            return await handler(request)
        except GrognardError as error:
            return problem_response(request, error)
        except ClientDisconnect:
            return Response(status_code=400)

    return handle
