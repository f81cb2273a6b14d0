"""MiniLM in PyTorch as both trainings use it: tokens in, one vector per text out.

The table of word pieces is frozen, so that encoder and re-ranker share the one of the base model.
Rows are grouped by length: on a CPU, padding is what a step would mostly compute.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional

from ricordo.embed.reranker import cut_around

Row = tuple[list[int], int]  # token ids, and where the second of two texts begins


class Tokens:
    """Word pieces of texts, kept once cut."""

    def __init__(self, base: Path) -> None:
        from tokenizers import Tokenizer

        self._cutter = Tokenizer.from_file(str(base / "tokenizer.json"))
        self._cutter.no_padding()
        self._cutter.no_truncation()
        self._known: dict[str, list[int]] = {}
        self.start, self.end = (self._cutter.token_to_id(each) for each in ("[CLS]", "[SEP]"))

    def cut(self, text: str) -> list[int]:
        """Return the ids of a text's word pieces, without marks."""
        if text not in self._known:
            self._known[text] = self._cutter.encode(text, add_special_tokens=False).ids
        return self._known[text]

    def row(self, text: str, limit: int) -> Row:
        """Return one text as the encoder reads it."""
        ids = [self.start, *self.cut(text)[: limit - 2], self.end]
        return ids, len(ids)

    def pair(self, question: str, text: str, limits: tuple[int, int]) -> Row:
        """Return question and text as the re-ranker reads them."""
        asked = self.cut(question)[: limits[0]]
        front = [self.start, *asked, self.end]
        return [*front, *cut_around(asked, self.cut(text), limits[1]), self.end], len(front)


def load_bert(base: Path, dropout: float = 0.1) -> Any:
    """Load MiniLM with its word pieces frozen; dropout only where the CPU computes it cheaply."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    from transformers import AutoModel

    model = AutoModel.from_pretrained(
        str(base),
        dtype=torch.float32,
        attn_implementation="sdpa",
        attention_probs_dropout_prob=0.0,
        hidden_dropout_prob=dropout,
    )
    model.embeddings.word_embeddings.weight.requires_grad_(False)
    return model


def pool(bert: Any, rows: Sequence[Row], width: int = 64) -> torch.Tensor:
    """Return the mean of the hidden states of each row, computed in groups of similar length."""
    order = sorted(range(len(rows)), key=lambda index: len(rows[index][0]))
    found = []
    with torch.autocast("cpu", dtype=torch.bfloat16):
        for at in range(0, len(order), width):
            ids, mask, kinds = stack([rows[index] for index in order[at : at + width]])
            state = bert(input_ids=ids, attention_mask=mask, token_type_ids=kinds).last_hidden_state
            weight = mask.unsqueeze(-1).float()
            found.append((state.float() * weight).sum(1) / weight.sum(1))
    back = torch.empty(len(order), dtype=torch.long)
    back[torch.tensor(order)] = torch.arange(len(order))
    return torch.cat(found)[back]


def stack(rows: Sequence[Row]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return ids, mask and token types of rows, padded to the longest."""
    longest = max(len(ids) for ids, _ in rows)
    ids, mask, kinds = (torch.zeros(len(rows), longest, dtype=torch.long) for _ in range(3))
    for place, (row, second) in enumerate(rows):
        ids[place, : len(row)] = torch.tensor(row)
        mask[place, : len(row)] = 1
        kinds[place, second : len(row)] = 1
    return ids, mask, kinds


def encode(bert: Any, tokens: Tokens, texts: Sequence[str], limit: int) -> torch.Tensor:
    """Return the unit vectors of texts."""
    return functional.normalize(pool(bert, [tokens.row(each, limit) for each in texts]), dim=-1)


def rate_at(step: int, share: float, peak: float, warm: int = 20) -> float:
    """Return the learning rate: up over the first steps, then down with the share that is done."""
    return peak * min(1.0, (step + 1) / warm) * max(0.02, 1 - share)


def descend(loss: torch.Tensor, model: Any, optimiser: Any, rate: float) -> None:
    """Take one step of the optimiser at a rate, with the gradient clipped."""
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_([p for p in model.parameters() if p.requires_grad], 1.0)
    optimiser.step()


def make_optimiser(model: Any) -> Any:
    """Return AdamW over what learns."""
    return torch.optim.AdamW(
        [p for p in model.parameters() if p.requires_grad], lr=0.0, weight_decay=0.01
    )
