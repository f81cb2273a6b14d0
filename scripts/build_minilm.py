"""Build the bundled MiniLM: fp32 weights in, int8 ONNX with vocabulary, checksums and licence out.

Run at release time only, never at run time. Needs torch, transformers, onnx and onnxruntime:

    python scripts/build_minilm.py SOURCE TARGET --license LICENSE

SOURCE is a folder with the upstream files of sentence-transformers/all-MiniLM-L6-v2
(config.json, model.safetensors, tokenizer.json); LICENSE is the text of the Apache License 2.0.
"""

import os
from pathlib import Path
from typing import Any

from building import finish, run, write_int8, write_vocabulary

NOTICE = """\
NOTICE

model.onnx and vocab.txt in this folder are derived from
sentence-transformers/all-MiniLM-L6-v2, by the sentence-transformers authors,
itself based on nreimers/MiniLM-L6-H384-uncased. They are licensed under the
Apache License, Version 2.0, whose text follows.

Changes: the weights were exported to ONNX and quantised to 8-bit integers;
the vocabulary was written out as plain text. scripts/build_minilm.py in the
sources of ricordo did both.

----------------------------------------------------------------------------

"""
CHECKED = ("model.onnx", "vocab.txt")


def export_fp32(source: Path, target: Path) -> None:
    """Write the encoder as ONNX with the two inputs that pooling needs and no more."""
    os.environ["HF_HUB_OFFLINE"] = "1"  # the source folder is complete; never look elsewhere
    import torch
    from transformers import AutoModel

    class Encoder(torch.nn.Module):
        def __init__(self, bert: Any) -> None:
            super().__init__()
            self.bert = bert

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            answer = self.bert(input_ids=input_ids, attention_mask=attention_mask)
            return answer.last_hidden_state

    bert = AutoModel.from_pretrained(str(source), attn_implementation="eager").eval()
    example = torch.ones(2, 8, dtype=torch.long)
    axes = {0: "batch", 1: "seq"}
    torch.onnx.export(
        Encoder(bert),
        (example, example),
        str(target),
        input_names=["input_ids", "attention_mask"],
        output_names=["last_hidden_state"],
        dynamic_axes=dict.fromkeys(("input_ids", "attention_mask", "last_hidden_state"), axes),
        opset_version=17,
        dynamo=False,
    )


def build(source: Path, target: Path, license_text: str) -> str:
    """Build everything from `source` into `target`; return the checksums."""
    target.mkdir(parents=True, exist_ok=True)
    write_int8(lambda fp32: export_fp32(source, fp32), target / "model.onnx")
    write_vocabulary(source / "tokenizer.json", target / "vocab.txt")
    return finish(target, NOTICE + license_text, CHECKED)


if __name__ == "__main__":
    run(__doc__, build)
