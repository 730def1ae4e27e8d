// One step's pairs: scores, loss, and the gradient of every row that took part. pair.ts is its twin on the CPU.
//
// L = sum over pairs of -log σ(c·t_0) - Σ_k log σ(-c·t_k): t_0 stood beside the centre c, the others are negatives. Rows that
// were looked up become their gradients in place: each belongs to one pair, and nobody needs them afterwards.
//
// TARGETS, targets of a pair, and QUADS, columns of a row in vec4s, are put in front by kernel.ts.

override PAIRS: u32;

@group(0) @binding(0) var<storage, read_write> centres: array<vec4f>;         // a row a pair, in; dL/d(row), out
@group(0) @binding(1) var<storage, read_write> targets: array<vec4f>;         // TARGETS rows a pair, likewise
@group(0) @binding(2) var<storage, read_write> losses: array<f32>;            // one a pair

// One invocation a pair.
@compute @workgroup_size(64)
fn pairs(@builtin(global_invocation_id) id: vec3u) {
  let b = id.x;
  if (b >= PAIRS) { return; }
  let c = b * QUADS;
  let t = b * TARGETS * QUADS;
  var slopes: array<f32, TARGETS>;
  var loss = 0.0;
  for (var k = 0u; k < TARGETS; k++) {
    var parts = vec4f();
    for (var q = 0u; q < QUADS; q++) { parts = fma(centres[c + q], targets[t + k * QUADS + q], parts); }
    let score = (parts.x + parts.y) + (parts.z + parts.w);
    // exp of what is never positive: it cannot overflow.
    let e = exp(-abs(score));
    let sigmoid = select(e, 1.0, score >= 0.0) / (1.0 + e);
    slopes[k] = select(sigmoid, sigmoid - 1.0, k == 0u);
    loss += max(select(score, -score, k == 0u), 0.0) + log(1.0 + e);
  }
  losses[b] = loss;
  for (var q = 0u; q < QUADS; q++) {
    let centre = centres[c + q];
    var sum = vec4f();
    for (var k = 0u; k < TARGETS; k++) {
      let at = t + k * QUADS + q;
      sum = fma(vec4f(slopes[k]), targets[at], sum);
      targets[at] = slopes[k] * centre;
    }
    centres[c + q] = sum;
  }
}

@group(0) @binding(0) var<storage, read> of_pairs: array<f32>;                // losses, one a pair
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;              // 64 partial sums of this step

// 64 invocations, each with every 64th pair, in a fixed order.
@compute @workgroup_size(64)
fn sum_losses(@builtin(local_invocation_index) i: u32) {
  var sum = 0.0;
  for (var b = i; b < PAIRS; b += 64u) { sum += of_pairs[b]; }
  sums[i] = sum;
}
