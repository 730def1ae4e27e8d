#!/usr/bin/env python3
"""Packs a SentencePiece model to a bit more than a third of what gzip makes of it; the crate unpacks it to the same bytes.

    python3 data/pack_model.py data/turkish-16k.model data/turkish-16k.pack

Between the pieces of a model stand their scores, which in BPE only count down, and in its trie the four bytes of a unit
have nothing in common. Here the spellings stand alone, the scores as runs, and the trie byte by byte; then context.py codes
all of it, so that gzip finds nothing more. src/tokenizer/pack.rs reads it. A file is

    varint  number of bytes before they were coded
    u32     their checksum, FNV-1a, little-endian
    the code

and decoded, where a block is its length as a varint and then its bytes:

    block   runs of pieces: varint count, varint type, little-endian f32 score of the first and step to the next
    block   spellings, each behind a newline, or behind a space that stands for its first character U+2581
    varint  where in the last block the trie starts, and its number of four-byte units
    block   the rest of the model as it is, but the trie as all first bytes, all second, third and fourth ones
"""

import struct
import sys
from pathlib import Path

from context import encode

SPACE = "\u2581".encode()


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def block(data):
    return varint(len(data)) + data


def read_varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def field(data, at):
    """Number, value and end of the field at this place; only the wire types that such a model has."""
    key, at = read_varint(data, at)
    if key & 7 == 2:
        length, at = read_varint(data, at)
        return key >> 3, data[at : at + length], at + length
    if key & 7 == 5:
        return key >> 3, data[at : at + 4], at + 4
    value, at = read_varint(data, at)
    return key >> 3, value, at


def pieces(model):
    """(spelling, score's bits, type) of each piece, and where the rest of the model starts."""
    found, at = [], 0
    while True:
        number, message, end = field(model, at)
        if number != 1:
            return found, at
        piece, inner = {3: 1}, 0
        while inner < len(message):
            number, value, inner = field(message, inner)
            piece[number] = value
        found.append((piece[1], piece[2], piece[3]))
        at = end


def f32(bits):
    return struct.unpack("<f", bits)[0]


def runs(found):
    """The types and scores of all pieces: as long as the type stays and the score goes on by the same step, one run."""
    out, first = bytearray(), 0
    while first < len(found):
        _, start, kind = found[first]
        step, count = 0.0, 1
        while first + count < len(found) and found[first + count][2] == kind:
            if count == 1:
                step = f32(found[first + 1][1]) - f32(start)
            if struct.pack("<f", f32(start) + step * count) != found[first + count][1]:
                break
            count += 1
        out += varint(count) + varint(kind) + start + struct.pack("<f", step)
        first += count
    return bytes(out)


def trie(rest):
    """Where the normaliser's trie starts in the rest of the model, and its number of units."""
    at = 0
    while at < len(rest):
        number, spec, end = field(rest, at)
        inner = 0
        while number == 3 and inner < len(spec):
            number_inside, charsmap, inner = field(spec, inner)
            if number_inside == 2:
                return end - len(spec) + inner - len(charsmap) + 4, struct.unpack_from("<I", charsmap)[0] // 4
        at = end
    return 0, 0


def pack(model):
    found, at = pieces(model)
    spellings = bytearray()
    for spelling, _, _ in found:
        if b"\n" in spelling or b" " in spelling:
            raise ValueError(f"{spelling} cannot be told from its neighbours")
        spellings += b" " + spelling[len(SPACE) :] if spelling.startswith(SPACE) else b"\n" + spelling
    rest = model[at:]
    start, units = trie(rest)
    end = start + 4 * units
    rest = rest[:start] + b"".join(rest[start + column : end : 4] for column in range(4)) + rest[end:]
    plain = block(runs(found)) + block(bytes(spellings)) + varint(start) + varint(units) + block(rest)
    return varint(len(plain)) + encode(plain)


if __name__ == "__main__":
    Path(sys.argv[2]).write_bytes(pack(Path(sys.argv[1]).read_bytes()))
