//! The GPU side: `request` asks the browser for a device, `device` is one, `pipelines` makes kernels run on it, `buffers` are
//! used again, `tables` keeps an embedding there, `passes` makes its calls ready, `readback` brings results home.

pub mod buffers;
pub mod device;
pub mod passes;
pub mod pipelines;
pub mod readback;
pub mod request;
pub mod tables;
