"""Tool calls and reasoning, in the style of each family of models.

style (data files) + toolbox (the caller's tools) -> language (one grammar for a turn); reading (finished outputs, by the same data).
"""

from grammask.frontends.tools.language import tool_grammar
from grammask.frontends.tools.options import ToolOptions
from grammask.frontends.tools.reading import ToolCall, ToolOutput, read_tool_calls
from grammask.frontends.tools.style import Style, read_style
from grammask.frontends.tools.style import style_names as tool_styles

__all__ = ["Style", "ToolCall", "ToolOptions", "ToolOutput", "read_style", "read_tool_calls", "tool_grammar", "tool_styles"]
