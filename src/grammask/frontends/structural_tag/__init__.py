"""Structural tags as grammars: free text with tags in it, in the JSON form that vLLM and XGrammar take.

JSON -> places (strict access) -> formats, tags, parameters (one reader for each format) -> the small form.
Rule: what is not understood is refused by name, with its JSON pointer and the tag it belongs to.
"""

from grammask.frontends.structural_tag.encodings import ENCODINGS, Encoding
from grammask.frontends.structural_tag.language import structural_tag
from grammask.frontends.structural_tag.options import StructuralTagOptions
from grammask.frontends.structural_tag.parameters import arguments

__all__ = ["ENCODINGS", "Encoding", "StructuralTagOptions", "arguments", "structural_tag"]
