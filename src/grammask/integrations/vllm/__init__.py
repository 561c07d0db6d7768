"""vLLM: `structured_outputs` and `response_format` of any client answered by grammask, and a logits processor for single requests.

    GRAMMASK_VLLM=1 vllm serve ...                                            the whole server
    SamplingParams(extra_args={"grammask": {"json_schema": schema}}, ...)     one request, whatever the server's back end is

vLLM finds both through the package's entry points. `host` is the only module that knows its insides, and says for which versions it was
verified; the rest takes what it needs from there. Without the variable and without such requests nothing of vLLM is changed.

settings -> what the environment says; vocabularies -> the tokens of an engine's model; admission -> requests that are refused before the engine
sees them; backend -> structured outputs; logits_processor -> `extra_args`; plugin -> puts all of it in place.
"""

from grammask.integrations.vllm.plugin import register
from grammask.integrations.vllm.settings import activate

__all__ = ["activate", "register"]
