"""Models run by llama.cpp: GGUF files on the CPU, or whatever the installed library computes on.

Rule: the host is a shared library, found at load and bound by ctypes; no Python package of it is imported.
Import `load_model` from here or from `grammask`.
"""

from grammask.integrations.chat import Message
from grammask.integrations.chat_model import ModelStream
from grammask.integrations.llama_cpp._model import Model, load_model
from grammask.integrations.session import Session

__all__ = ["Message", "Model", "ModelStream", "Session", "load_model"]
