"""From a compiled grammar to an output: constraints, matchers, masks, sampling, the generate loop.

Rule: a matcher's state moves by the kernel's calls alone; no model, tensor or socket in it.
Import names from the module that defines them; the public ones are in `grammask`.
"""
