"""The one thing import-linter cannot see: what the compiled sources import."""

import re
from pathlib import Path

KERNEL = Path(__file__).parents[1] / "src" / "grammask" / "kernel"
IMPORT = re.compile(r"^\s*(?:from\s+(\S+)\s+c?import|c?import\s+([\w., ]+))", re.MULTILINE)


def test_compiled_sources_import_only_their_own_room_and_the_errors() -> None:
    """No .pyx or .pxd reaches into another room: the kernel sees bytes and tables, never a vocabulary, a syntax or a host."""
    for source in [*KERNEL.glob("**/*.pyx"), *KERNEL.glob("**/*.pxd")]:
        for one, several in IMPORT.findall(source.read_text()):
            for name in (one or several).replace(" ", "").split(","):
                assert not name.startswith("grammask") or name.startswith(("grammask.kernel", "grammask.errors")), f"{source.name} imports {name}"
                assert not name.startswith(".."), f"{source.name} imports {name}: write the whole name"
