"""MiniLM in PyTorch as the trainings use it: tokens in, one vector per text out.

The table of word pieces is frozen, so that encoder and re-ranker share the one of the base model.
Rows are grouped by length: on a CPU, padding is what a step would mostly compute.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from ricordo.embed.reranker import cut_around

Row = tuple[list[int], int, int]  # token ids, where the second of the texts begins and ends
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
WIDTH = 512 if DEVICE.type == "cuda" else 64  # rows that are computed together


class Tokens:
    """Word pieces of texts, kept once cut."""

    def __init__(self, base: Path) -> None:
        from tokenizers import Tokenizer

        self._cutter = Tokenizer.from_file(str(base / "tokenizer.json"))
        self._cutter.no_padding()
        self._cutter.no_truncation()
        self._known: dict[str, list[int]] = {}
        self.start, self.end = self._cutter.encode("").ids

    def cut(self, text: str) -> list[int]:
        """Return the ids of a text's word pieces, without marks."""
        if text not in self._known:
            self._known[text] = self._cutter.encode(text, add_special_tokens=False).ids
        return self._known[text]

    def row(self, text: str, limit: int) -> Row:
        """Return one text as the encoder reads it."""
        ids = [self.start, *self.cut(text)[: limit - 2], self.end]
        return ids, len(ids), len(ids)

    def pair(self, question: str, text: str, limits: tuple[int, int]) -> Row:
        """Return question and text as the re-ranker reads them."""
        asked = self.cut(question)[: limits[0]]
        front = [self.start, *asked, self.end]
        ids = [*front, *cut_around(asked, self.cut(text), limits[1]), self.end]
        return ids, len(front), len(ids)

    def triple(self, question: str, newer: str, older: str, limits: tuple[int, int]) -> Row:
        """Return question, newer and older text as the re-ranker compares them."""
        ids, begin, end = self.pair(question, newer, limits)
        asked = self.cut(question)[: limits[0]]
        return [*ids, *cut_around(asked, self.cut(older), limits[1]), self.end], begin, end


def load_bert(base: Path, dropout: float = 0.1) -> Any:
    """Load a base model with its word pieces frozen; dropout only where it is computed cheaply."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    from transformers import AutoModel

    model = AutoModel.from_pretrained(
        str(base),
        dtype=torch.float32,
        attention_probs_dropout_prob=0.0,
        hidden_dropout_prob=dropout,
    )
    model.embeddings.word_embeddings.weight.requires_grad_(False)
    return model.to(DEVICE)


def pool(bert: Any, rows: Sequence[Row]) -> torch.Tensor:
    """Return the mean of the hidden states of each row, computed in groups of similar length."""
    order = sorted(range(len(rows)), key=lambda index: len(rows[index][0]))
    found = []
    with torch.autocast(DEVICE.type, dtype=torch.bfloat16):
        for at in range(0, len(order), WIDTH):
            ids, mask, kinds = stack([rows[index] for index in order[at : at + WIDTH]])
            # MPNet has no kinds of tokens; the ends between the texts are all it sees.
            kinded = {"token_type_ids": kinds} if hasattr(bert.config, "type_vocab_size") else {}
            state = bert(input_ids=ids, attention_mask=mask, **kinded).last_hidden_state
            weight = mask.unsqueeze(-1).float()
            found.append((state.float() * weight).sum(1) / weight.sum(1))
    back = torch.empty(len(order), dtype=torch.long)
    back[torch.tensor(order)] = torch.arange(len(order))
    return torch.cat(found)[back.to(DEVICE)]


def stack(rows: Sequence[Row]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return ids, mask and token types of rows, padded to the longest."""
    longest = max(len(ids) for ids, _, _ in rows)
    ids, mask, kinds = (np.zeros((len(rows), longest), np.int64) for _ in range(3))
    for place, (row, begin, end) in enumerate(rows):
        ids[place, : len(row)] = row
        mask[place, : len(row)] = 1
        kinds[place, begin:end] = 1
    first, second, third = (torch.from_numpy(each).to(DEVICE) for each in (ids, mask, kinds))
    return first, second, third


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
