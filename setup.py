"""Builds the Cython kernel; everything else about the package is in pyproject.toml.

GRAMMASK_CHECKED_KERNEL=1 builds the one that looks for its own faults: gcc's address and undefined-behaviour sanitizers, bounds
checks, every block of an arena a block of the system's. `make test-checked` builds it into build/checked and tests it there.
"""

import os

from Cython.Build import cythonize
from setuptools import Extension, setup

CHECKED = os.environ.get("GRAMMASK_CHECKED_KERNEL") == "1"
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
COMPILE = ["-O1", "-g", "-fno-omit-frame-pointer", *SANITIZERS] if CHECKED else ["-O3", "-g0"]
MACROS = [("Py_LIMITED_API", "0x030B0000"), *([("GRAMMASK_CHECKED", "1")] if CHECKED else [])]

setup(
    ext_modules=cythonize(
        [
            Extension(
                "grammask.kernel.*",
                ["src/grammask/kernel/*.pyx"],
                extra_compile_args=[*COMPILE, "-fno-strict-aliasing"],
                extra_link_args=SANITIZERS if CHECKED else [],
                define_macros=MACROS,
                py_limited_api=True,
            )
        ],
        build_dir="build/checked/c" if CHECKED else None,  # its C sources, too, are kept away from those of the normal build
        compiler_directives={"language_level": 3, "boundscheck": CHECKED, "wraparound": False, "cdivision": True, "auto_pickle": False},
    ),
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
