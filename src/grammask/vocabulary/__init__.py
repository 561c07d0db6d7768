"""Token id -> exact bytes, and the readers that find them in tokenizers of every kind.

Rule: bytes, never decoded text; a token may hold half a character. Nothing here knows a grammar or a kernel.
"""

from grammask.vocabulary.vocabulary import Vocabulary

__all__ = ["Vocabulary"]
