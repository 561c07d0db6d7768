"""Whether a host that an integration was written for is installed, in a version it was written for.

Rule: versions are read from the installed package's metadata; the host is not imported to find out.
Above: the integrations.
"""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, version

from grammask.errors import EngineError

__all__ = ["require_host"]


def require_host(package: str, oldest: str, below: str, verified: str) -> str:
    """The installed version of a package, which must be `oldest` or later and before `below`; numbers with dots.

    Raises EngineError if it is not installed or of another version; the hint names the version that was verified.
    """
    hint = f"install the version this was verified with: `pip install {package}=={verified}`"
    try:
        found = version(package)
    except PackageNotFoundError:
        raise EngineError(package, "it is not installed", hint) from None
    if not _numbers(oldest) <= _numbers(found) < _numbers(below):
        raise EngineError(package, f"this is version {found}, and the integration is for {oldest} or later, before {below}", hint)
    return found


def _numbers(text: str) -> tuple[int, ...]:
    """The leading numbers of a version; what stands behind them (a1, .dev0, +cpu) does not count."""
    found = re.match(r"\d+(\.\d+)*", text)
    return tuple(map(int, found[0].split("."))) if found else ()
