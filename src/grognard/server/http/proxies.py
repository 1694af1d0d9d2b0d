"""Who calls, where a proxy stands before the server: what it says is believed, what others say of themselves is not."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence

from starlette.types import Scope

from grognard.kernel.errors import BadInput

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address

#: The header in which a proxy says whom it speaks for. Only the one that is set is read: a proxy passes the other on.
HEADERS = ("x-forwarded-for", "forwarded")
#: Who speaks for whom at most: a header is no longer than that.
LONGEST = 4096
#: A household has a whole network of newer addresses: they are one visitor.
HOUSEHOLD = 64
_FOR = re.compile(r'(?:^|;)\s*for\s*=\s*("[^"]*"|[^;,\s]*)', re.IGNORECASE)


class Proxies:
    """The proxies whose word counts."""

    def __init__(self, trusted: Sequence[str], header: str) -> None:
        self.trusted = tuple(network(name) for name in trusted)
        if header not in HEADERS:
            raise BadInput("a proxy says who calls in {known}, not in {name}", known=", ".join(HEADERS), name=header)
        self.header = header.encode()

    def trusts(self, host: str) -> bool:
        """Whether an address is that of a proxy of ours."""
        address = _address(host)
        return address is not None and any(address in one for one in self.trusted if one.version == address.version)

    def visitor(self, scope: Scope) -> str:
        """Who calls: the peer, or, where that is a proxy of ours, the last whom it and others of ours speak for."""
        client = scope.get("client")
        found = str(client[0]) if client else "-"
        if self.trusted and self.trusts(found):
            for said in reversed(self._forwarded(scope)):
                address = _address(said)
                if address is None:
                    break
                found = str(address)
                if not self.trusts(found):
                    break
        return household(found)

    def _forwarded(self, scope: Scope) -> list[str]:
        lines = [value.decode("latin-1") for key, value in scope["headers"] if key == self.header]
        whole = ",".join(lines)[-LONGEST:]
        if self.header == b"x-forwarded-for":
            return [part.strip() for part in whole.split(",")]
        return [match[1] if (match := _FOR.search(part)) else "" for part in whole.split(",")]


def network(name: str) -> Network:
    """An address, or a network of them, as people write it."""
    try:
        return ipaddress.ip_network(name, strict=False)
    except ValueError:
        raise BadInput("{name} is no address of a proxy; write 127.0.0.1 or 10.0.0.0/8", name=name) from None


def _address(text: str) -> Address | None:
    """An address as proxies write it, with or without a port."""
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def household(host: str) -> str:
    """The name under which a visitor's share is kept."""
    address = _address(host)
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, HOUSEHOLD), strict=False).network_address)
    return host if address is None else str(address)
