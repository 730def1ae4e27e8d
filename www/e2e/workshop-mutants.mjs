// For each exercise: wrong answers with the case that must find them (or "rule", "endless"), and right ones that must pass.
// Each is made from the solution by putting one text for another, so that a solution that changes breaks the list loudly.

import { given, solution } from "./workshop.mjs";

const put = (source, ...pairs) =>
  pairs.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`nothing to change: ${from}`);
    return text.replaceAll(from, to);
  }, source);

const GUARD = "    if (i >= dims.x * dims.y) {\n        return;\n    }\n";
const OUTSIDE = "    if (t >= dims.z) {\n        return;\n    }\n";
const LOOP_ADVANCE = "        old_bits = res.old_value;\n";

const lookups = (source) => ({
  wrong: [
    ["no bounds check", "partial", put(source, [GUARD, ""])],
    ["one thread too many", "partial", put(source, ["i >= dims.x * dims.y", "i > dims.x * dims.y"])],
    ["checks positions instead of elements", "full", put(source, ["i >= dims.x * dims.y", "i >= dims.x"])],
    ["trusts the length of the buffer", "partial", put(source, ["dims.x * dims.y", "arrayLength(&out)"])],
    ["forgets the folded grid", "folded", put(source, ["gid.y * nwg.x * GROUP + gid.x", "gid.x"])],
    ["folds by the wrong width", "folded", put(source, ["gid.y * nwg.x * GROUP", "gid.y * GROUP"])],
    ["takes the id V for a token", "outside", put(source, ["t >= dims.z", "t > dims.z"])],
    ["leaves a row outside the vocabulary as it was", "outside", put(source, ["        out[i] = 0.0;\n", ""])],
    ["compares ids as signed numbers", "outside", put(source, ["t >= dims.z", "i32(t) >= i32(dims.z)"])],
    ["takes the token of another position", "full", put(source, ["let t = tokens[s]", "let t = tokens[i]"])],
    ["mixes up row and column", "full", put(source, ["i / dims.y", "i % dims.x"], ["i % dims.y", "i / dims.x"])],
  ],
  right: [
    ["the solution", source],
    [
      "the check turned round",
      put(
        source,
        [GUARD, ""],
        ["    let s = i", "    if (i < dims.x * dims.y) {\n    let s = i"],
        ["    out[i] = table[t * dims.y + d];\n", "    out[i] = table[t * dims.y + d];\n    }\n"],
      ),
    ],
    ["another workgroup", put(source, ["const GROUP = 8u", "const GROUP = 256u"])],
    [
      "a workgroup of two dimensions",
      put(
        source,
        ["@workgroup_size(GROUP)", "@workgroup_size(4, 2)"],
        ["gid.y * nwg.x * GROUP + gid.x", "(wg.y * nwg.x + wg.x) * 8u + local"],
        [
          "    @builtin(num_workgroups)",
          "    @builtin(workgroup_id) wg: vec3<u32>,\n    @builtin(local_invocation_index) local: u32,\n    @builtin(num_workgroups)",
        ],
      ),
    ],
  ],
});

/** Faults that every backward kernel can have. */
const backward = (source) => [
  ["no bounds check", "partial", put(source, [GUARD, ""])],
  [
    "forgets the folded grid",
    "folded",
    put(source, ["gid.y * nwg.x * GROUP + gid.x;\n    if (i", "gid.x;\n    if (i"]),
  ],
  ["takes the id V for a row", "outside", put(source, ["t >= dims.z", "t > dims.z"])],
  [
    "clamps ids outside the vocabulary to the last row",
    "outside",
    put(source, [OUTSIDE, ""], ["let t = tokens[s]", "let t = min(tokens[s], dims.z - 1u)"]),
  ],
];

const nan = solution("nan");
const race = solution("race");
const sum = solution("sum");
const fixed = solution("fixed");
const packed = solution("packed");
const NAN_TEST = "zero || !finite";

export const MUTANTS = {
  bounds: lookups(solution("bounds")),
  nan: {
    wrong: [
      ["the given kernel", "nan", given("nan")],
      ["a comparison with itself", "nan", put(given("nan"), ["abs(val) > 3.4e38", "val != val || abs(val) > 3.4e38"])],
      [
        "only quiet NaN with a plus",
        "nan",
        put(
          nan,
          ["bits & 0x7f800000u) != 0x7f800000u", "bits != 0x7fc00000u && bits != 0x7f800000u && bits != 0xff800000u)"],
          ["let finite = (bits", "let finite = (bits"],
        ),
      ],
      ["Inf only", "nan", put(nan, ["(bits & 0x7f800000u) != 0x7f800000u", "(bits & 0x7fffffffu) != 0x7f800000u"])],
      ["NaN only", "inf", put(nan, ["(bits & 0x7f800000u) != 0x7f800000u", "(bits & 0x7fffffffu) <= 0x7f800000u"])],
      ["no test at all", "inf", put(nan, [NAN_TEST, "zero"])],
      [
        "the sign is forgotten",
        "inf",
        put(nan, [
          "(bits & 0x7f800000u) != 0x7f800000u",
          "bits < 0x7f800000u || (bits >= 0x80000000u && bits < 0xffc00000u)",
        ]),
      ],

      ["zeros are added", "zero", put(nan, [NAN_TEST, "!finite"])],
      [
        "throws away what is large",
        "large",
        put(nan, ["(bits & 0x7f800000u) != 0x7f800000u", "(bits & 0x7fffffffu) < 0x7f000000u"]),
      ],
      ["throws away what is negative", "distinct", put(nan, [NAN_TEST, "zero || !finite || bits > 0x80000000u"])],
      [
        "stores instead of adding",
        "distinct",
        put(nan, ["bitcast<u32>(bitcast<f32>(old_bits) + val)", "bitcast<u32>(val)"]),
      ],
      ...backward(nan),
    ],
    right: [
      ["the solution", nan],
      ["one test for all", put(nan, [NAN_TEST, "(bits & 0x7fffffffu) - 1u >= 0x7f7fffffu"])],
      ["by the exponent", put(nan, ["(bits & 0x7f800000u) != 0x7f800000u", "extractBits(bits, 23u, 8u) != 255u"])],
    ],
  },
  packed: {
    wrong: [
      ["the given kernel", "odd", given("packed")],
      ["halves the wrong way round", "even", put(packed, ["select(pair.x, pair.y,", "select(pair.y, pair.x,"])],
      ["the low half always", "even", put(packed, ["select(pair.x, pair.y, k % 2u == 1u)", "pair.x"])],
      ["the half by the column", "odd", put(packed, ["k % 2u == 1u", "d % 2u == 1u"])],
      ["the half by the element", "odd", put(packed, ["k % 2u == 1u", "i % 2u == 1u"])],
      ["the word is not halved", "even", put(packed, ["table_w16[k / 2u]", "table_w16[k]"])],
      ["the word is rounded up", "even", put(packed, ["k / 2u", "(k + 1u) / 2u"])],
      ["rows padded to whole words", "odd", put(packed, ["t * dims.y + d", "t * (dims.y + dims.y % 2u) + d"])],
      ["takes the id V for a token", "outside", put(packed, ["t >= dims.z", "t > dims.z"])],
      ["forgets the folded grid", "folded", put(packed, ["gid.y * nwg.x * GROUP + gid.x", "gid.x"])],
      ["no bounds check", "partial", put(packed, [GUARD, ""])],
    ],
    right: [
      ["the solution", packed],
      [
        "shifted by hand",
        put(
          packed,
          ["unpack2x16float(table_w16[k / 2u])", "unpack2x16float(table_w16[k >> 1u] >> (16u * (k & 1u)))"],
          ["select(pair.x, pair.y, k % 2u == 1u)", "pair.x"],
        ),
      ],
      ["an index into the pair", put(packed, ["select(pair.x, pair.y, k % 2u == 1u)", "pair[k & 1u]"])],
    ],
  },
  race: {
    wrong: [
      ["the given kernel", "race", given("race")],
      ["one try only", "race", put(race, [LOOP_ADVANCE, "        break;\n"])],
      [
        "an atomic store",
        "race",
        put(race, [
          "        let res = atomicCompareExchangeWeak(&grad_table[cell], old_bits, new_bits);\n        if (res.exchanged) {\n            break;\n        }\n        old_bits = res.old_value;\n",
          "        atomicStore(&grad_table[cell], new_bits);\n        break;\n",
        ]),
      ],
      ["never looks at the cell again", "endless", put(race, [LOOP_ADVANCE, ""])],
      [
        "compares floats",
        "endless",
        put(race, ["res.exchanged", "bitcast<f32>(res.old_value) == bitcast<f32>(old_bits) && res.exchanged"]),
      ],
      [
        "adds the bits as integers",
        "distinct",
        put(race, ["bitcast<u32>(bitcast<f32>(old_bits) + val)", "old_bits + bits"]),
      ],
      ["whole numbers only", "distinct", put(race, ["bitcast<f32>(bits);", "round(bitcast<f32>(bits));"])],
      ["overwrites the cell", "distinct", put(race, ["bitcast<f32>(old_bits) + val", "val"])],
      ["adds a NaN", "skips", put(race, ["return zero || !finite;", "return zero;"])],
      ...backward(race),
    ],
    right: [
      ["the solution", race],
      ["begins with a guess", put(race, ["var old_bits = atomicLoad(&grad_table[cell]);", "var old_bits = 0u;"])],
      [
        "a loop with its own way out",
        put(race, ["    loop {", "    for (var tries = 0u; tries < 60000u; tries += 1u) {"]),
      ],
    ],
  },
  sum: {
    wrong: [
      ["the given kernel", "apart", given("sum")],
      ["the last position only", "apart", put(sum, ["sum += bitcast<f32>(bits)", "sum = bitcast<f32>(bits)"])],
      [
        "everyone is the owner of what follows",
        "apart",
        put(sum, [
          "    for (var k = 0u; k < s; k += 1u) {\n        if (tokens[k] == t) {\n            return;\n        }\n    }\n",
          "",
        ]),
      ],
      ["read, add, write", "apart|adjacent", given("race")],
      ["forgets itself", "distinct", put(sum, ["for (var k = s; k < dims.x", "for (var k = s + 1u; k < dims.x"])],
      [
        "forgets the last position",
        "distinct",
        put(sum, ["for (var k = s; k < dims.x;", "for (var k = s; k + 1u < dims.x;"]),
      ],
      [
        "takes the gradient of its own position each time",
        "apart",
        put(sum, ["grad_out[k * dims.y + d]", "grad_out[i]"]),
      ],
      ["sums every token", "distinct", put(sum, ["tokens[k] == t && !is_skipped", "!is_skipped"])],
      ["adds a NaN", "skips", put(sum, ["return zero || !finite;", "return zero;"])],
      [
        "a loop that does not advance",
        "endless",
        put(sum, ["for (var k = s; k < dims.x; k += 1u)", "for (var k = s; k < dims.x; k += 0u)"]),
      ],
      ["with atomics", "rule|adjacent|apart", race],
      ...backward(sum),
    ],
    right: [
      ["the solution", sum],
      [
        "from the back",
        put(
          sum,
          [
            "    for (var k = 0u; k < s; k += 1u) {\n        if (tokens[k] == t) {\n            return;\n        }\n    }\n",
            "    for (var k = s + 1u; k < dims.x; k += 1u) {\n        if (tokens[k] == t) {\n            return;\n        }\n    }\n",
          ],
          ["for (var k = s; k < dims.x", "for (var k = 0u; k <= s"],
        ),
      ],
      [
        "a helper that counts",
        put(
          sum,
          [
            "    for (var k = 0u; k < s; k += 1u) {\n        if (tokens[k] == t) {\n            return;\n        }\n    }\n",
            "    if (came_before(s, t)) {\n        return;\n    }\n",
          ],
          [
            "@compute",
            "fn came_before(s: u32, t: u32) -> bool {\n    var k = 0u;\n    while (true) {\n        if (k >= s) {\n            return false;\n        }\n        if (tokens[k] == t) {\n            return true;\n        }\n        k += 1u;\n    }\n    return false;\n}\n\n@compute",
          ],
        ),
      ],
    ],
  },
  free: (() => {
    const list = lookups(solution("free"));
    return {
      ...list,
      wrong: list.wrong
        .map(([name, found, source]) => [
          name,
          found === "partial" ||
          name.startsWith("checks") ||
          name.startsWith("takes the token") ||
          name.startsWith("mixes")
            ? "small"
            : found,
          source,
        ])
        .concat([["an empty body", "small", given("free")]]),
    };
  })(),
  fixed: {
    wrong: [
      ["the given kernel", "fine", given("fixed")],
      ...[8192, 16384, 20000, 32000, 32700].map((scale) => [
        `steps of 1/${scale}, too coarse`,
        "fine",
        put(fixed, ["SCALE = 65536.0", `SCALE = ${scale}.0`]),
      ]),
      ["so fine that large sums don't fit", "wide", put(fixed, ["SCALE = 65536.0", "SCALE = 262144.0"])],
      ["too fine by one step", "wide", put(fixed, ["SCALE = 65536.0", "SCALE = 131072.0"])],
      ["rounds down coarsely", "fine", put(fixed, ["SCALE = 65536.0", "SCALE = 16384.0"], ["round(", "floor("])],
      ["forgets to come back", "distinct", put(fixed, [" / SCALE", ""])],
      ["leaves the integers as they are", "distinct", put(fixed, ["bitcast<i32>(sum)", "i32(sum)"])],
      [
        "unsigned",
        "distinct",
        put(fixed, ["let steps = i32(round(", "let steps = i32(u32(round("], ["* SCALE));", "* SCALE)));"]),
      ],
      [
        "stores instead of adding",
        "signs",
        put(fixed, [
          "atomicAdd(&grad_table[t * dims.y + d], steps)",
          "atomicStore(&grad_table[t * dims.y + d], steps)",
        ]),
      ],
      ["adds a NaN", "skips", put(fixed, ["return zero || !finite;", "return zero;"])],
      ["takes the id V for a row", "outside", put(fixed, ["t >= dims.z", "t > dims.z"])],
      [
        "no bounds check on the way back",
        "partial",
        put(fixed, ["    if (k >= dims.y * dims.z) {\n        return;\n    }\n", ""]),
      ],
      [
        "with compare-exchange",
        "rule",
        put(fixed, [
          "    atomicAdd(&grad_table[t * dims.y + d], steps);\n",
          "    var old = atomicLoad(&grad_table[t * dims.y + d]);\n    loop {\n        let res = atomicCompareExchangeWeak(&grad_table[t * dims.y + d], old, old + steps);\n        if (res.exchanged) {\n            break;\n        }\n        old = res.old_value;\n    }\n",
        ]),
      ],
    ],
    right: [
      ["the solution", fixed],
      ["half as fine", put(fixed, ["SCALE = 65536.0", "SCALE = 32768.0"])],
      ["no power of two", put(fixed, ["SCALE = 65536.0", "SCALE = 40000.0"])],
      ["as fine as the range allows", put(fixed, ["SCALE = 65536.0", "SCALE = 131000.0"])],
      ["rounded down", put(fixed, ["round(", "floor("])],
      ["rounded down, twice as fine", put(fixed, ["SCALE = 65536.0", "SCALE = 100000.0"], ["round(", "floor("])],
    ],
  },
};
