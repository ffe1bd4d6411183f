"""Secrets and signatures, as standardwebhooks.com says."""

import hashlib
import hmac
from base64 import b64encode
from collections.abc import Iterable
from datetime import datetime
from typing import Final

SECRET_BYTES: Final = 32


def secret_text(secret: bytes) -> str:
    """A secret as its owner is shown it."""
    return f"whsec_{b64encode(secret).decode()}"


def signed_headers(
    message_id: str, at: datetime, body: bytes, secrets: Iterable[bytes]
) -> dict[str, str]:
    """The headers of a message, with one signature for each secret."""
    stamp = str(int(at.timestamp()))
    content = f"{message_id}.{stamp}.".encode() + body
    digests = (hmac.digest(secret, content, hashlib.sha256) for secret in secrets)
    signatures = " ".join(f"v1,{b64encode(digest).decode()}" for digest in digests)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": stamp,
        "webhook-signature": signatures,
    }
