//! The sorted gradient as the device alone makes it, by every way of sorting and of counting rows, against the CPU: the used
//! rows, where their positions begin, what was skipped, and the bits of the sums.
#![cfg(target_arch = "wasm32")]

#[path = "common/random.rs"]
mod random;

use std::rc::Rc;

use bytemuck::must_cast_slice;
use gomme::abi::{ROW_SKIP_WORDS, RowSkips};
use gomme::cpu::sum_plan;
use gomme::gpu::buffers::Upload;
use gomme::gpu::device::Gpu;
use gomme::gpu::readback;
use gomme::gpu::request::acquire;
use gomme::gpu::tables::OnDevice;
use gomme::group::{BlockShape, DevicePlan, Grouper, Plan, Sort};
use random::{Random, SPREADS, Spice, Spread};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// The ways that a device may take; `DevicePlan::new` takes one of them.
fn plans(seq_len: u32, vocab_size: u32) -> Vec<DevicePlan> {
    let plan = DevicePlan::new(seq_len, vocab_size);
    let radix = Sort::radix(seq_len, vocab_size);
    let mut plans = vec![
        plan,
        DevicePlan { sort: radix, counted: false, ..plan },
        DevicePlan { sort: radix, counted: true, ..plan },
    ];
    // Tiles of other sizes than so short a sequence would get.
    if let Sort::Radix { rounds, .. } = radix {
        let sort = Sort::Radix { rounds, tiles: seq_len.div_ceil(256 * 3).next_multiple_of(16), per_thread: 3 };
        plans.push(DevicePlan { sort, ..plan });
    }
    // Chunks as long and as short as can be.
    for chunk in [4, 32] {
        let shape = BlockShape { chunk, ..plan.shape };
        plans.push(DevicePlan { shape, blocks: seq_len.div_ceil(shape.positions()), counted: true, ..plan });
    }
    if vocab_size < u32::MAX {
        plans.push(DevicePlan { sort: Sort::Enumerate, counted: false, ..plan });
        plans.push(DevicePlan { sort: Sort::Enumerate, counted: true, ..plan });
    }
    plans
}

/// Every plan against the CPU.
async fn assert_grouped(gpu: &Rc<Gpu>, tokens: &[u32], vocab_size: u32, d_model: u32, grad_out: &[f32], what: &str) {
    let width = d_model as usize;
    let groups = Grouper::new(vocab_size).group(tokens);
    let used = groups.rows.len();
    let mut spans = vec![used as u32, 0];
    spans.extend(groups.hits.iter().scan(0, |end, &hits| {
        *end += hits;
        Some(*end)
    }));

    let on_device = OnDevice::new(Rc::clone(gpu));
    let mut upload = Upload::default();
    let ids = upload.section(tokens);
    let values = upload.section(must_cast_slice(grad_out));
    let sent = on_device.send_upload(upload);
    for plan in plans(tokens.len() as u32, vocab_size) {
        let what = format!("{what} V={vocab_size} D={d_model} {plan:?}");
        let order = Plan::new(&groups, plan.shape);
        let mut sums = vec![0.0; (used + order.partial_sums as usize) * width];
        let mut skips = vec![0; used * ROW_SKIP_WORDS];
        sum_plan(&order, &groups.order, grad_out, &mut sums, &mut skips, width);

        let call = on_device.grouped_passes(sent.part(ids), &plan, sent.part(values), d_model).unwrap();
        let steps: Vec<_> = call.dispatches.iter().collect();
        let parts = [
            call.spans.part(if used > 0 { spans.len() as u64 * 4 } else { 4 }),
            call.rows.part(used as u64 * 4),
            call.skips.part((used * size_of::<RowSkips>()) as u64),
            call.grad.part((used * width * 4) as u64),
        ];
        let mut found = readback::run(gpu, &steps, &parts).await.unwrap();
        assert_eq!(found.words(0)[0], used as u32, "{what}");
        assert!(used == 0 || found.words(0) == spans, "{what}: spans");
        assert!(found.words(1) == groups.rows, "{what}: rows");
        assert!(found.words(2) == skips, "{what}: skips");
        let bits = found.words(3);
        if let Some(i) = (0..used * width).find(|&i| bits[i] != sums[i].to_bits()) {
            let (row, hits) = (i / width, groups.hits[i / width]);
            panic!("{what}, row {row} of {hits} hits: {:e} for {:e}", f32::from_bits(bits[i]), sums[i]);
        }
    }
}

/// Around a block, a tile, a turn of every loop; ids of all kinds.
#[wasm_bindgen_test]
async fn every_way_gives_the_same() {
    let gpu = acquire().await.unwrap();
    let lengths = [1u32, 3, 7, 8, 9, 63, 64, 65, 255, 257, 513, 1_000, 3_001];
    let widths = [1u32, 4, 7, 36, 132, 260];
    for (k, seq_len) in lengths.into_iter().enumerate() {
        for (j, vocab_size) in [1u32, 2, 129, 4_000, 1 << 20, u32::MAX].into_iter().enumerate() {
            let mut random = Random::new((k * 10 + j) as u64);
            let d_model = widths[(k + j) % widths.len()];
            let spread = match SPREADS[(k + j) % 3] {
                Spread::Different if !(seq_len..1 << 22).contains(&vocab_size) => Spread::Zipf,
                spread => spread,
            };
            let tokens = random.tokens(spread, seq_len as usize, vocab_size.min(u32::MAX - 1));
            let grad_out = random.gradient(Spice::Skipped, (seq_len * d_model) as usize);
            assert_grouped(&gpu, &tokens, vocab_size, d_model, &grad_out, &format!("N={seq_len} {spread:?}")).await;
        }
    }
}

/// No token inside the vocabulary: no rows.
#[wasm_bindgen_test]
async fn nothing_inside_the_vocabulary() {
    let gpu = acquire().await.unwrap();
    for seq_len in [1usize, 300] {
        let tokens: Vec<u32> = (0..seq_len as u32).map(|s| if s % 2 == 0 { 5 } else { u32::MAX - s }).collect();
        assert_grouped(&gpu, &tokens, 5, 4, &vec![1.0; seq_len * 4], "none inside").await;
    }
}

/// Rows that begin and end where chunks and blocks do, and rows of many blocks between short ones.
#[wasm_bindgen_test]
async fn rows_at_the_edges_of_blocks() {
    let gpu = acquire().await.unwrap();
    let mut random = Random::new(4);
    for hits in [4u32, 8, 32, 63, 64, 65, 127, 256, 257, 1_000] {
        let tokens: Vec<u32> = (0..4_000).map(|s| s / hits + u32::from(s % 997 == 0)).collect();
        let grad_out = random.gradient(Spice::Skipped, tokens.len() * 4);
        assert_grouped(&gpu, &tokens, 2_000, 4, &grad_out, &format!("{hits} hits")).await;
    }
}
