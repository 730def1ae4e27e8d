// The workshop's parts that need no browser: loops are bounded and lines stay, sizes and rules are read from the text, code
// travels in a link, and the compilers' messages are found again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./load.mjs";

const { bound, culprit, LOOP_LIMIT } = await load("workshop/bound.ts");
const { meaningful, tokens } = await load("workshop/wgsl.ts");
const { workgroupSizes } = await load("workshop/workgroup.ts");
const { brokenRule, comparesFloats } = await load("workshop/rules.ts");
const { fromLink, toLink } = await load("workshop/link.ts");
const { commonOf, toMessages } = await load("workshop/messages.ts");
const { undeclared } = await load("workshop/compile.ts");
const { halfToFloat } = await load("workshop/bits.ts");

const lines = (text) => text.split("\n").length;
const entry = (body) =>
  `@compute @workgroup_size(64)\nfn main(@builtin(global_invocation_id) gid: vec3<u32>) {\n${body}\n}\n`;

test("every kind of loop gets a counter of its own, on its own line", () => {
  const source = entry(
    [
      "    for (var i = 0u; i < 9u; i += 1u) { a(i); }",
      "    while (true) {",
      "        b();",
      "    }",
      "    loop {",
      "        if (c) { break; }",
      "        continuing { i += 1u; }",
      "    }",
    ].join("\n"),
  );
  const { code, loops } = bound(source);
  assert.deepEqual(loops, [
    { line: 3, keyword: "for", limit: LOOP_LIMIT, depth: 0 },
    { line: 4, keyword: "while", limit: LOOP_LIMIT, depth: 0 },
    { line: 7, keyword: "loop", limit: LOOP_LIMIT, depth: 0 },
  ]);
  const before = source.split("\n");
  const after = code.split("\n");
  for (const [k, line] of before.entries()) {
    const bare = after[k]
      .replace(/\{ (var gomme_\d = 65000u; ?)+/g, "")
      .replace(/ if \(gomme_\d == 0u\) .*? -= 1u;/g, "");
    assert.ok(bare.replace(/ \}$/, "").startsWith(line.replace(/ \}$/, "")), `line ${k + 1}: ${after[k]}`);
  }
  assert.equal((code.match(/-= 1u;/g) ?? []).length, 3);
  assert.equal((code.match(new RegExp(`= ${LOOP_LIMIT}u;`, "g")) ?? []).length, 3);
});

test("loops inside loops have their counters before the outermost, so that their turns add up and don't multiply", () => {
  const { code, loops } = bound(entry("    for (;;) { for (;;) { x(); } while (y) { z(); } }"));
  assert.equal(loops.length, 3);
  const line = code.split("\n")[2];
  assert.match(line, /^ {4}\{ var gomme_0 = 65000u; var gomme_1 = 65000u; var gomme_2 = 65000u; for/);
  // The end is asked for before the counter goes down: an inner loop that is entered again stays ended.
  assert.match(line, /if \(gomme_1 == 0u\) \{ gomme_end\(1u\); break; \} gomme_1 -= 1u;/);
});

test("of loops that were ended the innermost of the first is named", () => {
  const { loops } = bound(entry("    for (;;) {\n while (x) {\n } }\n loop {\n for (;;) { } }"));
  const line = (...ended) => culprit(loops, ended)?.line;
  assert.equal(line(), undefined);
  assert.equal(line(0), 3);
  assert.equal(line(0, 1), 4);
  assert.equal(line(0, 3), 3);
  assert.equal(line(1, 2, 3), 4);
  assert.equal(line(2, 3), 7);
});

test("words in comments and names are no loops, and a prefix in use is left alone", () => {
  const source =
    "// for (;;) {\n/* while /* nested */ loop { */\nvar<private> format: u32; var<private> gomme_0: u32;\n";
  assert.deepEqual(bound(source).loops, []);
  assert.equal(bound(source).code, source);
  const { code } = bound(`var<private> gomme_0: u32;\n${entry("    loop { break; }")}`);
  assert.match(code, /var gomme1_0 = /);
});

test("a function that could only be left by return gets a way out behind its loop", () => {
  const helper = (body) => `fn f(x: u32) -> vec3<u32> {\n${body}\n}\n`;
  assert.match(bound(helper("    loop { if (x > 1u) { return vec3u(); } }")).code, / return vec3<u32>\(\); \}/);
  assert.doesNotMatch(bound(helper("    loop { break; }\n    return vec3u();")).code, /return vec3<u32>\(\);/);
  assert.doesNotMatch(bound(helper("    return vec3u();")).code, /vec3<u32>\(\)/);
  assert.doesNotMatch(bound(entry("    loop { break; }")).code, /return/);
});

test("helpers count across their calls, unless a barrier forbids private counters", () => {
  const helper = "fn f() { loop { break; } }\n";
  assert.match(bound(helper).code, /var<private> gomme_0: u32 = 65000u;/);
  assert.match(bound(`${helper}${entry("    workgroupBarrier();")}`).code, /\{ var gomme_0 = 2000u; loop/);
});

test("attributes of a loop stay with it", () => {
  const { code } = bound(entry("    @diagnostic(off, derivative_uniformity) for (;;) @x { y(); }"));
  assert.match(code, /\{ var gomme_0 = 65000u; @diagnostic\(off, derivative_uniformity\) for \(;;\) @x \{ if/);
});

test("an offset in the bounded text leads back to the reader's", () => {
  const source = entry("    // ğüşiöç😀\n    while (true) { bad(); }\n    after();");
  const { code, toSource } = bound(source);
  for (const word of ["😀", "bad", "after", "gid:"]) {
    assert.equal(toSource(code.indexOf(word)), source.indexOf(word), word);
  }
  assert.equal(toSource(code.length), source.length);
  assert.equal(lines(code.slice(0, code.indexOf("after"))), lines(source.slice(0, source.indexOf("after"))));
});

test("text that is cut off anywhere neither hangs nor throws", () => {
  const source = entry("    for (var i = 0u; i < 4u; i += 1u) { if (i == 2u) { /* c */ continue; } loop { break; } }");
  for (let k = 0; k <= source.length; k++) bound(source.slice(0, k), { alone: "main" });
});

test("one thread alone is let through by the number that the entry point asks for", () => {
  const { code } = bound(entry("    out[gid.x] = 1.0;"), { alone: "main" });
  assert.match(code, /\{ if \(gid\.x != gomme_only\.x\) \{ return; \}/);
  assert.equal(bound("@compute @workgroup_size(1)\nfn main() {}", { alone: "main" }).code, "");
});

test("tokens cover the text without a gap", () => {
  const source = "/* a /* b */ c */ fn ğ(x: vec2<f32>) -> f32 { return 0x1.8p3f + 1e-3 + .5h; } // 😀\n@ group(0)";
  assert.equal([...tokens(source)].map(({ text }) => text).join(""), source);
  assert.deepEqual(
    meaningful("1e-3 0x1.8p3f .5h 7u").map(({ kind }) => kind),
    ["number", "number", "number", "number"],
  );
});

const limits = {
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupSizeY: 256,
  maxComputeWorkgroupSizeZ: 64,
};
const sizeOf = (attribute, before = "") =>
  workgroupSizes(`${before}\n@compute ${attribute}\nfn main() {}`, ["main"], limits)[0].threads;

test("the workgroup size is read: numbers, names, and what goes beyond the limits", () => {
  assert.equal(sizeOf("@workgroup_size(64)"), 64);
  assert.equal(sizeOf("@workgroup_size(8, 8, 2u)"), 128);
  assert.equal(sizeOf("@workgroup_size(0x10)"), 16);
  assert.equal(sizeOf("@workgroup_size(W, H,)", "const W = 4u; const H: u32 = W;"), 16);
  const trouble = (...args) => {
    try {
      sizeOf(...args);
    } catch (error) {
      return error.trouble;
    }
  };
  assert.deepEqual(trouble("@workgroup_size(512)"), { kind: "group-limit", asked: 512, most: 256, axis: "x" });
  assert.deepEqual(trouble("@workgroup_size(32, 32)"), { kind: "group-limit", asked: 1024, most: 256, axis: "all" });
  assert.deepEqual(trouble("@workgroup_size(1, 1, 65)"), { kind: "group-limit", asked: 65, most: 64, axis: "z" });
  assert.equal(trouble("@workgroup_size(2 * 4)").kind, "group-unknown");
  assert.equal(trouble("@workgroup_size(A)", "const A = B; const B = A;").kind, "group-unknown");
  assert.equal(trouble("").kind, "no-entry");
  assert.equal(trouble("@workgroup_size(0)").kind, "group-unknown");
});

test("rules look at the code, not at its comments", () => {
  assert.equal(brokenRule(["needs-atomic"], "// atomic\nvar<private> x: u32;"), "needs-atomic");
  assert.equal(brokenRule(["needs-atomic"], "var<workgroup> x: array<atomic<u32>, 4>;"), undefined);
  assert.equal(brokenRule(["no-atomic"], "fn f() { atomicAdd(&a, 1u); }"), "no-atomic");
  assert.equal(brokenRule(["needs-atomic", "no-exchange"], "atomicCompareExchangeWeak(&a, b, c)"), "no-exchange");
  assert.equal(
    comparesFloats("var<storage, read> grad_out: array<f32>; let n = bitcast<u32>(bitcast<f32>(old) + val);"),
    true,
  );
  assert.equal(comparesFloats("var<storage, read> grad_out: array<f32>; let n = bitcast<u32>(val);"), false);
  assert.equal(comparesFloats("var<storage, read> grad_out: array<u32>;"), false);
});

test("code goes into a link and comes back; what is no link of ours does not", async () => {
  const shared = { id: "race", code: "// ğüşiöç 😀\nfn main() {}\n\n" };
  const link = await toLink(shared);
  assert.match(link, /^1[\w-]+$/);
  assert.deepEqual(await fromLink(link), shared);
  for (const bad of [
    "",
    "1",
    `2${link.slice(1)}`,
    link.slice(0, -4),
    `${link}é`,
    "1AAAA",
    await toLink({ id: "nothing", code: "" }),
  ]) {
    assert.equal(await fromLink(bad), undefined, bad);
  }
  // A few hundred bytes that would unfold to megabytes.
  const { deflateRawSync } = await import("node:zlib");
  const bomb = deflateRawSync(Buffer.from(`free\n${" ".repeat(50_000_000)}`)).toString("base64url");
  assert.equal(await fromLink(`1${bomb}`), undefined);
});

test("halves are decoded by hand as the format says", () => {
  for (const [bits, value] of [
    [0x3c00, 1],
    [0xc000, -2],
    [0x7bff, 65504],
    [0x0400, 2 ** -14],
    [0x0001, 2 ** -24],
    [0x3555, 0.333251953125],
    [0x8000, -0],
  ]) {
    assert.ok(Object.is(halfToFloat(bits), value), `${bits.toString(16)}: ${halfToFloat(bits)}`);
  }
});

const message = (text, more = {}) => ({
  type: "error",
  message: text,
  lineNum: 2,
  linePos: 1,
  offset: 3,
  length: 1,
  ...more,
});

test("a message keeps its first words; Firefox's drawing is for those who ask", () => {
  const firefox = `\nShader '' parsing error: expected identifier, found "{"\n  ┌─ wgsl:2:7\n  │\n2 │ fn a( {\n  │       ^ expected identifier\n\n`;
  const [told] = toMessages("ab\ncd", [message(firefox)]);
  assert.equal(told.text, 'expected identifier, found "{"');
  assert.match(told.all, /wgsl:2:7/);
  assert.deepEqual([told.line, told.from, told.to], [2, 3, 4]);
  const [beyond] = toMessages("ab", [message("x", { offset: 99, length: 0, lineNum: 0 })]);
  assert.deepEqual([beyond.line, beyond.from, beyond.to], [1, 2, 2]);
});

test("a message of Firefox without a place is placed by its drawing, and what is invalid says why", () => {
  const source = "// ğ\nlet 😀ğ = 1.0;\n";
  const text =
    "\nShader validation error: Entry point main at Compute is invalid\n  ┌─ :2:5\n  │\n  = Expression [3] is invalid\n  = The `if` condition [1] is not a boolean scalar\n\n";
  const [told] = toMessages(source, [message(text, { lineNum: 1, offset: 0, length: 0 })]);
  assert.deepEqual([told.line, told.from], [2, source.indexOf("😀")]);
  assert.equal(told.text, "The `if` condition [1] is not a boolean scalar");
  const [behind] = toMessages(source, [
    message("\nShader '' parsing error: x\n  ┌─ wgsl:2:7\n", { lineNum: 1, offset: 0, length: 0 }),
  ]);
  assert.equal(source.slice(behind.from, behind.from + 1), " ");
});

test("the common errors are known in both browsers' words", () => {
  const invalid = (note) =>
    `\nShader validation error: Entry point main at Compute is invalid\n  ┌─ :6:11\n  │\n  = ${note}\n\n`;
  const parsing = (words) => `\nShader '' parsing error: ${words}\n  ┌─ wgsl:6:11\n  │\n\n`;
  const table = {
    unknown: [
      "unresolved value 'foo'",
      "unresolved type 'Vec'",
      parsing("no definition in scope for identifier: `foo`"),
    ],
    semicolon: ["expected ';' for variable declaration", parsing('expected `;`, found "let"')],
    bracket: [
      "expected '}' for function body",
      "unexpected token",
      parsing('expected statement, found ""'),
      parsing('expected `]`, found "="'),
    ],
    types: [
      "cannot convert value of type 'abstract-float' to type 'u32'",
      "no matching overload for 'operator + (u32, i32)'\n\n5 candidate operators:\n • 'f16' pointer atomic",
      "if statement condition must be bool, got u32",
      parsing("automatic conversions cannot convert elements of `u32` to `f32`"),
      parsing("the type of `x` is expected to be `u32`, but got `{AbstractFloat}`"),
      invalid("Operation Add can't work with [1] (of type Scalar) and [2]"),
      invalid("The `if` condition [1] is not a boolean scalar"),
    ],
    assign: ["cannot assign to 'let x'", parsing("invalid left-hand side of assignment")],
    access: [
      "cannot store into a read-only type 'ref<storage, f32, read>'",
      invalid("The pointer [2] doesn't relate to a valid destination for a store"),
    ],
    returns: [
      "missing return at end of function",
      invalid("The `return` expression None does not match the declared return type Some([2])"),
    ],
    atomic: [
      "cannot assign 'u32' to 'atomic<u32>'",
      "no matching call to 'atomicAdd(atomic<u32>, u32)'",
      "atomic<u32> cannot be used as the type of a 'let'",
      parsing("atomic variables cannot be accessed directly; use atomic built-in functions"),
    ],
    uniform: ["'workgroupBarrier' must only be called from uniform control flow"],
    pointer: [
      "cannot initialize 'let' of type 'f32' with value of type 'ptr<function, f32, read_write>'",
      parsing("the type of `p` is expected to be `f32`, but got `ptr<function, f32>`"),
      "cannot take the address of 'let i'",
      parsing("the operand of the `&` operator must be a reference"),
    ],
    f16: [
      "'f16' type used without 'f16' extension enabled",
      "extension 'f16' is not allowed in the current environment",
      parsing("the `f16` enable extension is not enabled"),
      parsing("the `f16` extension is not supported in the current environment"),
    ],
    reserved: ["'class' is a reserved keyword", parsing("name `class` is a reserved keyword")],
    redeclared: ["redeclaration of 'x'", parsing("redefinition of `x`")],
    loop: ["loop does not exit"],
    arguments: [
      "no matching call to 'min(abstract-float)'",
      "too many arguments in call to 'f', expected 1, got 2",
      parsing("wrong number of arguments: expected 2, found 1"),
      invalid("Requires 1 arguments, but 2 are provided"),
    ],
    const: [
      "const initializer requires a const-expression, but expression is a runtime-expression",
      parsing("this operation is not supported in a const context"),
    ],
    statement: [
      "expected '=' for assignment",
      parsing('expected assignment or increment/decrement, found "x"'),
      "ignoring return value of builtin 'min'",
      parsing("unused return value from function annotated with @must_use"),
    ],
    declare: [
      "expected '=' for 'let' declaration",
      "var declaration requires a type or initializer",
      parsing("declaration of `q` needs a type specifier or initializer"),
      parsing('expected operation (`=`), found ";"'),
    ],
    atomicType: [
      "'atomic' only supports 'i32', 'u32' or 'vec2u' types",
      "\nShader validation error: Type [3] '' is invalid\n  = Capability Capabilities(SHADER_FLOAT32_ATOMIC) is required\n",
    ],
    atomicPlain: [
      "no matching call to 'atomicAdd(ptr<storage, f32, read_write>, f32)'",
      "no matching call to 'atomicLoad(ptr<storage, f32, read_write>)'",
      parsing("atomic operation is done on a pointer to a non-atomic"),
    ],
    atomicValue: ["no matching call to 'atomicAdd(ptr<storage, atomic<u32>, read_write>, f32)'"],
    exchange: ["if statement condition must be bool, got __atomic_compare_exchange_result_u32"],
    range: [
      "value -1 cannot be represented as 'u32'",
      parsing("numeric literal not representable by target type: `5000000000u`"),
    ],
    braces: ["expected '{' for if statement", parsing('expected `{`, found ":"')],
    forLoop: ["expected '(' for for loop"],
    mixing: [
      "mixing '||' and '&' requires parenthesis",
      invalid("Operation And can't work with [8] (of type Scalar) and [22]"),
    ],
    field: [
      "invalid vector swizzle character",
      "cannot index into expression of type 'u32'",
      parsing("invalid field accessor `D`"),
    ],
    local: [
      "function-scope 'var' declaration must use 'function' address space",
      parsing("invalid address space for local variable: `storage`"),
    ],
    index: [
      "index -1 out of bounds [0..3]",
      parsing("Index 4 is out of bounds for expression [17]"),
      invalid("Accessing [17] via a negative index is invalid"),
    ],
    call: ["cannot use 'var table' as call target", parsing('expected function name, found "table"')],
    outside: [
      "module-scope 'let' is invalid, use 'const'",
      "statement found outside of function body",
      parsing('expected global item (`struct`, `const`) or the end of the file, found "}"'),
      "expected declaration after attributes",
    ],
    character: ["invalid character found", parsing('expected `;`, found "?"')],
    undefined: ["something that nobody has seen"],
  };
  for (const [name, all] of Object.entries(table)) {
    for (const text of all) assert.equal(String(commonOf("", toMessages("", [message(text)])[0])), name, text);
  }
});

test("habits of other languages are told by the line that they stand in, where the compiler's words lead astray", () => {
  const told = (line, text, next = "    let s = 1u;") => {
    const source = `fn f() {\n    ${line}\n${next}\n}\n`;
    // A compiler that misses a `;` says so at the next line.
    const lineNum = /semicolon|expected [`'];/.test(text) && !/found "(?:\+\+|i|\{)"/.test(text) ? 3 : 2;
    const offset =
      source
        .split("\n")
        .slice(0, lineNum - 1)
        .join("\n").length + 1;
    return commonOf(source, toMessages(source, [message(text, { lineNum, offset })])[0]);
  };
  for (const [line, text, name] of [
    ["print(i);", "unresolved call target 'print'", "print"],
    ["print(i);", "no definition in scope for identifier: `print`", "print"],
    ["let q: int = 1;", "unresolved type 'int'", "typeName"],
    ["let q = float(i);", "no definition in scope for identifier: `float`", "typeName"],
    ["if (isnan(x)) { }", "unresolved call target 'isnan'", "isNan"],
    ["let q = NaN;", "unresolved value 'NaN'", "isNan"],
    ["let q = len(tokens);", "unresolved call target 'len'", "length"],
    ["while (True) { }", "unresolved value 'True'", "words"],
    ["if (a > 3u and b) { }", "expected ')'", "words"],
    ["if (a > 3u or b) { }", 'expected `)`, found "or"', "words"],
    ["if i >= 3u: return;", "expected '{' for if statement", "braces"],
    ["if (a) { } elif (b) { }", 'expected `;`, found "{"', "elseIf"],
    ["for k in range(3) { }", 'expected `(`, found "k"', "forLoop"],
    ["}", "unexpected token", "outside"],
    ["# comment", 'expected statement, found "#"', "character"],
    ['let q = "a";', 'expected expression, found "\\""', "character"],
    ["if (i === 3u) { }", "unable to parse right side of == expression", "equality"],
    ["if (i = 1u) { }", "expected ')'", "equality"],
    ["let q = i ** 2u;", "cannot dereference expression of type 'u32'", "power"],
    ["let q = i ** 2u;", "the operand of the `*` operator must be a pointer", "power"],
    ["let q = i++;", "expected ';' for variable declaration", "increment"],
    ["let q = i++;", 'expected `;`, found "++"', "increment"],
    ["let q = (float)i;", 'expected `;`, found "i"', "cast"],
    ["let q = i // dims.y;", "expected ';' for variable declaration", "division"],
    ["let q = i // dims.y;", 'expected `;`, found "let"', "division"],
    ["let q = i", "expected ';' for variable declaration", "semicolon"],
    ["let q = 1u; // a // b\n    let r = i", "expected ';' for variable declaration", "semicolon"],
    ["float q = 1.0;", "expected '=' for assignment", "declare"],
    ["q;", "expected '=' for assignment", "statement"],
    ["i + 1u;", 'expected assignment or increment/decrement, found "+"', "statement"],
    ["atomicAdd(&g[c], 1.0);", "automatic conversions cannot convert elements of `f32` to `u32`", "atomicValue"],
    [
      "let res = atomicCompareExchangeWeak(&g[c], o, n);",
      "The `if` condition [53] is not a boolean scalar",
      "exchange",
    ],
  ]) {
    assert.equal(told(line, text), name, `${line}: ${text}`);
  }
});

test("a print that one compiler lets pass is an error of the text all the same", () => {
  const source = "fn main() {\n    print(i); // print(2)\n}\n";
  const [told, ...more] = undeclared(source);
  assert.deepEqual(more, []);
  assert.deepEqual([told.kind, told.line, source.slice(told.from, told.to)], ["error", 2, "print"]);
  assert.deepEqual(undeclared("fn print(x: u32) {}\nfn main() { print(1u); }"), []);
  assert.deepEqual(undeclared("fn main() { let print = 1u; }"), []);
});
