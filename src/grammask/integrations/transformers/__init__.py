"""Hugging Face transformers: a logits processor for `model.generate`, and a model that answers as the embedded one does.

Rule: nothing of the host is imported before something is made of what the host loaded.
Import from here; `from_transformers` is also in `grammask`.
"""

from grammask.integrations.transformers._model import Model, from_transformers
from grammask.integrations.transformers._processor import GrammarProcessor
from grammask.integrations.transformers._vocabulary import vocabulary_of

__all__ = ["GrammarProcessor", "Model", "from_transformers", "vocabulary_of"]
