"""Says what this machine lacks for building grammask, one line for each thing and how to get it. Standard library only.

Exit code 0: nothing is missing; 1: something is.
"""

import importlib.util
import shutil
import sys
import sysconfig
from pathlib import Path


def missing() -> list[str]:
    """What is missing, as sentences that name the remedy."""
    found = []
    if sys.version_info < (3, 11):  # noqa: UP036 - this is the script that finds out
        found.append(f"{sys.executable} is Python {sys.version.split()[0]}, 3.11 or newer is needed: name one with `make PYTHON=python3.12 ...`")
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        found.append("Python's venv module is missing (Debian packs it apart): apt-get install python3-venv")
    if not (Path(sysconfig.get_path("include")) / "Python.h").exists():
        found.append("Python's C headers (Python.h) are missing: apt-get install python3-dev")
    if not any(shutil.which(compiler) for compiler in ("cc", "gcc", "clang")):
        found.append("a C compiler is missing: apt-get install gcc libc6-dev")
    return found


if __name__ == "__main__":
    for line in missing():
        print(f"grammask: {line}", file=sys.stderr)
    sys.exit(1 if missing() else 0)
