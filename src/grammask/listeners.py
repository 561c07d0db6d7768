"""Whom to tell of each vocabulary that was made.

Rule: rooms below tell rooms above by this list alone; nothing is loaded here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["listeners"]

listeners: list[Callable[[Any], None]] = []
