//! The GPU side: `request` asks the browser for a device, `device` is one, `pipelines` makes kernels run on it, `buffers` are
//! used again, `tables` keeps an embedding there, `passes` makes its calls ready, `readback` brings results home, `scope` tells
//! whether the browser refused them, `timing` measures them, `adopt` takes objects of JavaScript's in.

pub mod adopt;
pub mod batch;
pub mod buffers;
pub mod device;
pub mod grouped;
pub mod passes;
pub mod pipelines;
pub mod prepare;
pub mod probe;
pub mod readback;
pub mod request;
pub mod resident;
pub mod scope;
pub mod step;
pub mod tables;
pub mod timing;
pub mod watch;
