"""What the operator reads: one line an event, plain or JSON, without secret links."""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime

#: Secret links, wherever a line mentions an address that holds one.
_LINK = re.compile(r"(/api/(?:seats|hosts|invitations)/)[^/\s?\"']+")
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def without_links(text: str) -> str:
    return _LINK.sub(r"\1…", text)


class Plain(logging.Formatter):
    """For people."""

    def __init__(self, number: int = 0) -> None:
        super().__init__(FORMAT.replace("%(name)s", f"%(name)s[{number}]") if number else FORMAT)

    def format(self, record: logging.LogRecord) -> str:
        return without_links(super().format(record))


class Json(logging.Formatter):
    """For programs: one object a line."""

    def __init__(self, number: int = 0) -> None:
        super().__init__()
        self.number = number

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(), "from": record.name, "text": without_links(record.getMessage()),
        }  # fmt: skip
        if self.number:
            told["process"] = str(self.number)
        if hasattr(record, "code"):
            told["code"] = str(record.code)
        if record.exc_info:
            told["traceback"] = without_links(self.formatException(record.exc_info))
        return json.dumps(told, ensure_ascii=False)


def set_up(level: str = "warning", as_json: bool = False, number: int = 0) -> None:
    """Everything goes to standard error in one form; of several processes each says its number."""
    handler = logging.StreamHandler()
    handler.setFormatter(Json(number) if as_json else Plain(number))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers[:], logger.propagate = [], True
    logging.getLogger("uvicorn.access").disabled = True
    for name in ("alembic", "sqlalchemy"):
        logging.getLogger(name).setLevel(logging.WARNING)
