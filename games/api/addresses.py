"""Where a request comes from."""

from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """The client's address as the outermost trusted proxy saw it; of IPv6 the /64 network.

    Only the last TRUSTED_PROXIES entries of X-Forwarded-For were written by our own front; what a
    client puts before them is never looked at.
    """
    return _network(_forwarded(request) or request.META.get("REMOTE_ADDR", ""))


def _forwarded(request: HttpRequest) -> str:
    proxies: int = settings.TRUSTED_PROXIES
    header = request.META.get("HTTP_X_FORWARDED_FOR", "")
    if not proxies or not header:
        return ""
    hops = header.split(",")
    hop: str = hops[-min(proxies, len(hops))]
    return hop.strip()


def _network(text: str) -> str:
    try:
        address = ip_address(text)
    except ValueError:
        return "unknown"
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((address, 64), strict=False))
