#!/usr/bin/env bash
# The target wasm32-unknown-unknown where rustup can't download it: on Debian, as root, from the distribution's packages.
#
# Debian has a compiler new enough for browsers (rustc-web) and the source of its standard library (rust-web-src), but no
# library built for wasm. This builds one, with that compiler, and puts it where that compiler looks. Libraries serve only
# the very compiler that made them, so from then on the whole build uses Debian's cargo and rustc: links to them go to
# the folder LINKS, which setup.sh puts first on PATH. Rustup's own toolchain is not touched.
#
# usage: wasm-target.sh LINKS
set -euo pipefail
links=${1:?usage: wasm-target.sh LINKS}
[ "$(id -u)" = 0 ] || { echo "wasm-target.sh: must run as root, to install packages" >&2; exit 1; }

export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends rustc-web cargo-web rust-web-src rust-web-clippy rustfmt-web lld </dev/null

mkdir -p "$links"
for name in cargo rustc rustdoc rustfmt cargo-fmt cargo-clippy clippy-driver; do
  ln -sf "/usr/bin/$name" "$links/$name"
done
ln -sf /usr/bin/lld "$links/rust-lld" # the linker by the name that rustc asks for
PATH=$(cd "$links" && pwd):$PATH
export PATH
hash -r

# Cargo builds the library from its source when an empty crate asks for it.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/src"
printf '[package]\nname = "empty"\nversion = "0.0.0"\nedition = "2024"\n' >"$work/Cargo.toml"
: >"$work/src/lib.rs"
cd "$work"
RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$work/target RUSTFLAGS='' cargo build --release --lib \
  -Zbuild-std=std,panic_abort,proc_macro,test --target wasm32-unknown-unknown </dev/null

library=$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown/lib
mkdir -p "$library"
rm -f "$library"/*.rlib
cp target/wasm32-unknown-unknown/release/deps/*.rlib "$library/"
rm -f "$library"/libempty-*.rlib
echo "wasm32-unknown-unknown for $(rustc --version) is in $library"
