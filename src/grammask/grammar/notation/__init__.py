"""Expressions written out in notations of others: GBNF and Lark.

expression -> outline (rules of literals, characters, sequence, choice, repetition, references, tokens) -> the text.
Rule: the same texts or an error that names what the notation cannot say. Texts are characters here: special tokens that a vocabulary may
have for a piece of text are left to whoever reads the result.
"""
