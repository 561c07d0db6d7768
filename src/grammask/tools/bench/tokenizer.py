"""The tokenizer that a benchmark is asked to run over."""

from __future__ import annotations

import argparse

import grammask

__all__ = ["add_tokenizer", "tokenizer_of"]


def add_tokenizer(parser: argparse.ArgumentParser) -> None:
    """The arguments that name a tokenizer."""
    parser.add_argument("tokenizer", help="a tokenizer's file or folder, as grammask.Vocabulary.from_path takes it")
    parser.add_argument("--eos-ids", default="", help="ids of the end tokens, for files that do not say")
    parser.add_argument("--size", type=int, help="ids of the model, where it has more than its tokenizer")


def tokenizer_of(options: argparse.Namespace) -> grammask.Vocabulary:
    """The vocabulary that the arguments name. Raises what `Vocabulary.from_path` raises, and ValueError for ids that are no numbers."""
    ends = [int(number) for number in options.eos_ids.split(",") if number]
    return grammask.Vocabulary.from_path(options.tokenizer, eos_ids=ends or None, size=options.size)
