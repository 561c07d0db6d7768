"""Sampling from the model's own distribution, conditioned on the grammar, which masking token by token is not.

A mask takes away what cannot follow and shares its probability among what can, at each step anew. So a beginning that the model likes but
that its grammar only lets it finish in an unlikely way comes out far too often. The methods here draw outputs with weights, such that
weighted outputs are distributed as the model's outputs that happen to be in the language, or come closer to that the more is spent.

Rule: whatever an output was drawn from, its weight is the model's probability over that of the draw, or an unbiased estimate of it.
Import names from the module that defines them; the public ones are in `grammask`.
"""
