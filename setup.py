"""Builds the Cython kernel; everything else about the package is in pyproject.toml."""

import os

from Cython.Build import cythonize
from setuptools import Extension, setup

CHECKED = os.environ.get("GRAMMASK_CHECKED_KERNEL") == "1"  # bounds checks on: the build that tests use to look for faults

setup(
    ext_modules=cythonize(
        [
            Extension(
                "grammask.kernel.*",
                ["src/grammask/kernel/*.pyx"],
                extra_compile_args=["-O3", "-g0", "-fno-strict-aliasing"],
                define_macros=[("Py_LIMITED_API", "0x030B0000")],
                py_limited_api=True,
            )
        ],
        compiler_directives={"language_level": 3, "boundscheck": CHECKED, "wraparound": False, "cdivision": True, "auto_pickle": False},
    ),
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
