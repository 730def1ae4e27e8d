"""Codes bytes bit by bit with what the bytes before them foretell; src/tokenizer/context.rs decodes, step for step the same
and in the same integers, and says how. pack_model.py codes the pack with it, in a quarter of a minute."""

import struct

CONTEXTS = 5
MAX_RATIO = 16
SLOT_BITS = 20
UNSEEN = 1 << 31
CHECK = 0x3FF << 6
COUNT = 0x3F
MAX_COUNT = 30
FIRST_WEIGHT = 14000
LEARNING_RATE = 6
U32 = 0xFFFFFFFF

POINTS = (
    [1, 2, 3, 6, 10, 16, 27, 45, 73, 120, 194, 310, 488, 747, 1101, 1546, 2047, 2549, 2994, 3348, 3607, 3785, 3901]
    + [3975, 4022, 4050, 4068, 4079, 4085, 4089, 4092, 4093, 4094, 4094]
)


def squash(x):
    index, part = (x >> 7) + 16, x & 127
    return (POINTS[index] * (128 - part) + POINTS[index + 1] * part + 64) >> 7


def stretched():
    """The inverse of squash, for 0 to 4095."""
    table = []
    for x in range(-2047, 2048):
        table += [x] * (squash(x) + 1 - len(table))
    return table + [2047] * (4096 - len(table))


class History:
    """Where the bytes end: in a piece, which begins with a newline or a space."""

    def __init__(self):
        self.last = self.len = self.len_before = self.hash = 0

    def contexts(self):
        left = max(self.len_before + 3 - self.len, 0)
        return [0, self.last & 0xFFFF, self.last, self.hash, self.last & 0xFF | left << 8 & U32]

    def push(self, byte):
        self.last = (self.last << 8 | byte) & U32
        if byte in b"\n ":
            self.len, self.len_before, self.hash = 1, self.len, byte
        else:
            self.len += 1
            self.hash = (self.hash + byte + 1) * 0x2F0B4C47 & U32


class Encoder:
    """An arithmetic encoder."""

    def __init__(self):
        self.code, self.low, self.high = bytearray(), 0, U32

    def bit(self, is_one, one):
        middle = self.low + (self.high - self.low >> 12) * one
        if is_one:
            self.high = middle
        else:
            self.low = middle + 1
        while (self.low ^ self.high) >> 24 == 0:
            self.code.append(self.low >> 24)
            self.low = self.low << 8 & U32
            self.high = self.high << 8 & U32 | 0xFF

    def finish(self):
        return bytes(self.code) + struct.pack(">I", self.low)


class Mixer:
    """Foretells bits, and learns from what they are."""

    def __init__(self):
        self.slots = [UNSEEN] * (1 << SLOT_BITS)
        self.weights = [[FIRST_WEIGHT] * (CONTEXTS + 1) for _ in range((CONTEXTS + 1) * 8 * 4)]
        self.stretched = stretched()
        self.rates = [(4 << 16) // (4 * count + 5) for count in range(MAX_COUNT + 1)]

    def byte(self, value, history, encoder):
        contexts, depth = history.contexts(), min(history.len, 3)
        for bit in range(8):
            byte = 1 << bit | value >> (8 - bit)
            if bit % 4 == 0:
                hashes = [hashed(context, k + byte * 16) for k, context in enumerate(contexts)]
            within = 1 << bit % 4 | byte & (1 << bit % 4) - 1
            self.bit(value >> (7 - bit) & 1, hashes, within, bit * 4 + depth, encoder)

    def bit(self, is_one, hashes, within, set_, encoder):
        slots = self.slots
        places = [value >> (32 - SLOT_BITS) ^ within for value in hashes]
        known, inputs = 0, []
        for value, place in zip(hashes, places):
            check = value << 6 & CHECK
            if slots[place] & CHECK != check:
                slots[place] = UNSEEN | check
            seen = slots[place] & COUNT > 0
            known += seen
            inputs.append(self.stretched[slots[place] >> 20] if seen else 0)
        inputs.append(256)
        weights = self.weights[known * 32 + set_]
        total = sum(number * weight for number, weight in zip(inputs, weights))
        one = squash(min(max(total >> 16, -2047), 2047))

        encoder.bit(is_one, one)
        error = (is_one * 4096 - one) * LEARNING_RATE
        for index, number in enumerate(inputs):
            weights[index] += (number * error + (1 << 13)) >> 14
        for place in places:
            probability, count = slots[place] >> 16, slots[place] & COUNT
            if is_one:
                probability += (0xFFFF - probability) * self.rates[count] >> 16
            else:
                probability -= probability * self.rates[count] >> 16
            slots[place] = probability << 16 | slots[place] & CHECK | min(count + 1, MAX_COUNT)


def hashed(context, place):
    value = (context * 0x2F0B4C47 + place * 0x9E3779B1) * 0x85EBCA6B & U32
    return (value ^ value >> 15) * 0xC2B2AE35 & U32


def checksum(data):
    total = 0x811C9DC5
    for byte in data:
        total = (total ^ byte) * 0x01000193 & U32
    return total


def encode(data):
    """The checksum of the bytes and their code; their number belongs before it."""
    mixer, history, encoder = Mixer(), History(), Encoder()
    for byte in data:
        mixer.byte(byte, history, encoder)
        history.push(byte)
    code = encoder.finish()
    if len(data) // MAX_RATIO > len(code):
        raise ValueError("so short a code would be refused")
    return struct.pack("<I", checksum(data)) + code
