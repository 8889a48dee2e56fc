"""The network: tokens in, tags of spans and the symbols of the utterance out."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from commonground.grounding.english.names import HINTS
from commonground.grounding.english.spans import TAGS
from commonground.grounding.english.symbols import POINTER, all_symbols
from commonground.grounding.english.tokens import BUCKETS

DOMAINS = ("scene", "household", "memory")
SHAPE = 5
SPAN = all_symbols().index(POINTER)


@dataclass(frozen=True, slots=True)
class Size:
    """How large a network is."""

    width: int = 256
    pieces: int = 128
    heads: int = 4
    encoder: int = 4
    decoder: int = 2
    dropout: float = 0.12
    words: int = 64
    """Numbers a word has from its lexical relations; 0 for none."""


def turned(x: Tensor, offset: int = 0) -> Tensor:
    """Return queries or keys turned by their places (rotary embedding)."""
    length, width = x.shape[-2], x.shape[-1]
    rates = torch.exp(torch.arange(0, width, 2, device=x.device) * (-math.log(10000.0) / width))
    angles = (torch.arange(length, device=x.device) + offset)[:, None] * rates
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., : width // 2], x[..., width // 2 :]
    return torch.cat([a * cos - b * sin, a * sin + b * cos], -1)


class Locked(nn.Module):
    """Dropout of the same numbers at all places of a row: as good here, and forty times cheaper."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate

    def forward(self, x: Tensor) -> Tensor:
        if not self.training:
            return x
        kept = torch.rand(x.shape[0], 1, x.shape[2]) >= self.rate
        return x * (kept.to(x.dtype) / (1 - self.rate))


class Attention(nn.Module):
    """Multi-head attention; places count where a row attends to itself."""

    def __init__(self, size: Size) -> None:
        super().__init__()
        self.heads = size.heads
        self.q = nn.Linear(size.width, size.width)
        self.kv = nn.Linear(size.width, 2 * size.width)
        self.out = nn.Linear(size.width, size.width)

    def split(self, x: Tensor) -> Tensor:
        return x.view(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)

    def keys_values(self, x: Tensor) -> tuple[Tensor, Tensor]:
        k, v = self.kv(x).chunk(2, -1)
        return self.split(k), self.split(v)

    def forward(
        self, x: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, places: int | None
    ) -> Tensor:
        q = self.split(self.q(x))
        if places is not None:
            q, k = turned(q, places), turned(k)
        if self.training:
            # plain products: the backward pass of the fused kernel is slow on processors
            scores = (q @ k.transpose(-1, -2)) / math.sqrt(q.shape[-1])
            if mask is not None:
                scores = scores.masked_fill(~mask, -1e4)
            y = scores.softmax(-1).to(v.dtype) @ v
        else:
            y = nn.functional.scaled_dot_product_attention(q, k, v, mask)
        return self.out(y.transpose(1, 2).reshape(x.shape))


def feed(size: Size) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(size.width, 4 * size.width), nn.GELU(), nn.Linear(4 * size.width, size.width)
    )


class EncoderLayer(nn.Module):
    def __init__(self, size: Size) -> None:
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(size.width), nn.LayerNorm(size.width)
        self.attend, self.feed = Attention(size), feed(size)
        self.drop = Locked(size.dropout)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        y = self.n1(x)
        k, v = self.attend.keys_values(y)
        x = x + self.drop(self.attend(y, k, v, mask, 0))
        return x + self.drop(self.feed(self.n2(x)))


class DecoderLayer(nn.Module):
    def __init__(self, size: Size) -> None:
        super().__init__()
        self.n1, self.n2, self.n3 = (nn.LayerNorm(size.width) for _ in range(3))
        self.attend, self.look, self.feed = Attention(size), Attention(size), feed(size)
        self.drop = Locked(size.dropout)

    def forward(
        self,
        x: Tensor,
        past: tuple[Tensor, Tensor],
        memory: tuple[Tensor, Tensor],
        mask: Tensor | None,
        memory_mask: Tensor | None,
        place: int,
    ) -> Tensor:
        """``past`` holds the keys and values of all rows so far, those of x among them."""
        x = x + self.drop(self.attend(self.n1(x), *past, mask, place))
        x = x + self.drop(self.look(self.n2(x), *memory, memory_mask, None))
        return x + self.drop(self.feed(self.n3(x)))


class Encoder(nn.Module):
    """Tokens → states and tag scores."""

    def __init__(self, size: Size) -> None:
        super().__init__()
        self.pieces = nn.EmbeddingBag(BUCKETS, size.pieces, mode="mean", padding_idx=0)
        self.whole = nn.Embedding(BUCKETS, size.pieces, padding_idx=0)
        nn.init.zeros_(self.pieces.weight)  # what no wording has says nothing
        nn.init.zeros_(self.whole.weight)
        self.into = nn.Linear(
            2 * size.pieces + size.words + SHAPE + len(DOMAINS) + HINTS, size.width
        )
        self.layers = nn.ModuleList(EncoderLayer(size) for _ in range(size.encoder))
        self.norm = nn.LayerNorm(size.width)
        self.tags = nn.Linear(size.width, TAGS)
        self.drop = Locked(size.dropout)

    def embed(self, pieces: Tensor, whole: Tensor, looks: Tensor) -> Tensor:
        """Return the numbers of tokens: (B, T, P) rows of pieces, (B, T) of words, (B, T, ·) looks."""
        batch, length, most = pieces.shape
        mean = self.pieces(pieces.view(-1, most)).view(batch, length, -1)
        return torch.cat([mean, self.whole(whole), looks], -1)

    def forward(self, known: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return states and tag scores; the mask is true where there is a token."""
        x = self.drop(self.into(known))
        wide = mask[:, None, None, :]
        for layer in self.layers:
            x = layer(x, wide)
        x = self.norm(x)
        return x, self.tags(x)


class Network(nn.Module):
    """The whole: encoder, spans, decoder."""

    def __init__(self, size: Size) -> None:
        super().__init__()
        self.size = size
        self.encoder = Encoder(size)
        self.tag_in = nn.Embedding(TAGS, size.width)
        self.span = nn.Linear(size.width, size.width)
        self.symbol_in = nn.Embedding(len(all_symbols()) + 1, size.width)
        self.scope_in = nn.Embedding(len(all_symbols()) + 1, size.width)
        self.layers = nn.ModuleList(DecoderLayer(size) for _ in range(size.decoder))
        self.norm = nn.LayerNorm(size.width)
        self.symbols = nn.Linear(size.width, len(all_symbols()))
        self.point = nn.Linear(size.width, size.width)
        self.used = nn.Parameter(torch.tensor(-1.0))
        self.drop = Locked(size.dropout)

    def memory(self, states: Tensor, tags: Tensor) -> Tensor:
        """Return what the decoder looks at: states with their tags."""
        return states + self.tag_in(tags)

    def spans(self, memory: Tensor, members: Tensor) -> Tensor:
        """Return a row for each span; members (B, S, T) share out the tokens of each."""
        return self.span(members @ memory)

    def inputs(self, symbols: Tensor, pointers: Tensor, scopes: Tensor, spans: Tensor) -> Tensor:
        """Return the rows of what was written: symbols, with the span pointed at where there is one."""
        x = self.symbol_in(symbols) + self.scope_in(scopes)
        picked = torch.gather(spans, 1, pointers[..., None].expand(-1, -1, spans.shape[-1]))
        return x + picked * (symbols == SPAN)[..., None].to(picked.dtype)

    def scores(self, x: Tensor, spans: Tensor, used: Tensor) -> tuple[Tensor, Tensor]:
        """Return the scores of symbols and of spans for rows that left the decoder."""
        x = self.norm(x)
        points = self.point(x) @ spans.transpose(1, 2) / math.sqrt(spans.shape[-1])
        return self.symbols(x), points + used * self.used

    def forward(self, batch: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        """Return tag scores, and scores of symbols and spans side by side, for a batch with its answers."""
        known = self.encoder.embed(batch["pieces"], batch["whole"], batch["looks"])
        states, tags = self.encoder(known, batch["mask"])
        memory = self.memory(states, batch["tags"].clamp(min=0))
        spans = self.spans(memory, batch["members"])
        x = self.drop(self.inputs(batch["in"], batch["in_span"], batch["scope"], spans))
        length = x.shape[1]
        causal = torch.ones(length, length, dtype=torch.bool).tril()[None, None]
        seen = batch["mask"][:, None, None, :]
        for layer in self.layers:
            past = layer.attend.keys_values(layer.n1(x))
            x = layer(x, past, layer.look.keys_values(memory), causal, seen, 0)
        symbols, points = self.scores(x, spans, batch["used"])
        points = points.masked_fill(~batch["is_span"][:, None, :], -1e4)
        return tags, torch.cat([symbols, points], -1)
