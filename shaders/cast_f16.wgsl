// cast_f32_to_f16: the f16 mirror of the f32 master table, two elements a word; cast_rows: the same for some of its rows.
// Done on integer bits, rounding to nearest even as the crate `half` does: pack2x16float differs between browsers
// (pack2x16float(70000) is NaN in Chromium and Inf in Firefox). Follows common/grid.wgsl.

struct CastParams {
    elements: u32,
}

@group(0) @binding(1) var<storage, read> source: array<u32>;             // f32 bits of all elements
@group(0) @binding(2) var<storage, read_write> target_w16: array<u32>;   // ceil(elements / 2) words
@group(0) @binding(3) var<uniform> params: CastParams;

// For `cast_rows`, which updates some rows only. Where D is odd, two rows may share a word; both then write the same bits.
struct CastRowsParams {
    capacity: u32, // rows that `rows` has room for
    d_model: u32,
    elements: u32,
    words: u32,    // that one row may touch
}

@group(0) @binding(0) var<storage, read> rows: array<u32>;                    // U ids
@group(0) @binding(2) var<storage, read_write> mirror: array<atomic<u32>>;
@group(0) @binding(3) var<uniform> rows_params: CastRowsParams;
@group(0) @binding(4) var<storage, read> count: array<u32>;                   // U, in front

fn half_bits(bits: u32) -> u32 {
    let sign = (bits >> 16u) & 0x8000u;
    let magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) {
        // NaN stays NaN: the quiet bit, and what fits of the payload.
        return sign | 0x7e00u | ((magnitude >> 13u) & 0x3ffu);
    }
    if (magnitude >= 0x47800000u) {
        return sign | 0x7c00u; // from 65,536 on there is only Inf
    }
    if (magnitude < 0x38800000u) {
        // Below 2^-14 an f16 is subnormal: a multiple of 2^-24. Up to 2^-25 the nearest one is zero.
        if (magnitude <= 0x33000000u) {
            return sign;
        }
        let exponent = magnitude >> 23u;
        let mantissa = (magnitude & 0x7fffffu) | 0x800000u;
        let shift = 126u - exponent;
        let odd = (mantissa >> shift) & 1u;
        return sign | ((mantissa + (1u << (shift - 1u)) - 1u + odd) >> shift);
    }
    // Add half of the last kept bit, less one, plus that bit: this rounds up above the middle, and to even on it. A carry
    // runs into the exponent and, past the largest f16, into Inf, as it must.
    let rounded = magnitude + 0xfffu + ((magnitude >> 13u) & 1u);
    return sign | ((rounded - 0x38000000u) >> 13u);
}

@compute @workgroup_size(WORKGROUP, 1, 1)
fn cast_f32_to_f16(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let word = flat_id(gid, nwg);
    let first = word * 2u;
    if (first >= params.elements) {
        return;
    }
    var packed = half_bits(source[first]);
    if (first + 1u < params.elements) {
        packed |= half_bits(source[first + 1u]) << 16u;
    }
    target_w16[word] = packed;
}

@compute @workgroup_size(WORKGROUP, 1, 1)
fn cast_rows(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {
    let i = flat_id(gid, nwg);
    let u = i / rows_params.words;
    if (u >= min(count[0], rows_params.capacity)) {
        return;
    }
    let begin = rows[u] * rows_params.d_model;
    let word = begin / 2u + (i - u * rows_params.words);
    if (word > (begin + rows_params.d_model - 1u) / 2u) {
        return;
    }
    var packed = half_bits(source[word * 2u]);
    if (word * 2u + 1u < rows_params.elements) {
        packed |= half_bits(source[word * 2u + 1u]) << 16u;
    }
    atomicStore(&mirror[word], packed);
}
