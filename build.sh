#!/usr/bin/env bash
# Builds, serves and tests gomme. Each command sets up what is missing first; a second run finds it all in place.
#
#   ./build.sh                 pkg/, the npm-shaped package, and dist/, the static site
#   ./build.sh serve [PORT]    builds, then serves dist/ on localhost and prints the address
#   ./build.sh watch [PORT]    serves the page and rebuilds it when www/ changes; pkg/ stays as it was built
#   ./build.sh test [SUITE..]  every check and test: natively, in Chromium and in Firefox
#   ./build.sh bench [ARG..]   runs the benchmark page headless and prints its table
set -euo pipefail
cd "$(dirname "$0")"
. tools/setup.sh

build() {
  # Made aside, so that a build that fails leaves the last good package alone.
  say "Building pkg/"
  rm -rf target/pkg
  # Where rustc optimises for size it inlines next to nothing; a threshold of 20 makes the wasm smaller and faster. And the
  # paths of this machine stay out of its messages.
  CARGO_ENCODED_RUSTFLAGS=$(printf '%s\037' -Cllvm-args=-inline-threshold=20)--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/registry/src= \
    logged wasm-pack build --target web --release --out-dir target/pkg --out-name gomme --no-pack --no-opt --no-typescript
  node tools/package.mjs target/pkg
  rm -rf pkg
  mv target/pkg pkg
  say "Building dist/"
  node tools/site.mjs
}

case ${1-} in
  '')
    setup_build
    build
    ;;
  serve)
    setup_build
    setup_npm bench # two of the examples meet other libraries
    build
    exec node tools/serve.mjs dist "${2-8080}"
    ;;
  watch)
    setup_build
    [ -f dist/pkg/gomme_bg.wasm ] || build
    exec node tools/watch.mjs "${2-8080}"
    ;;
  build-quietly) # what `test` calls for its own build suite: everything is set up by then
    setup_paths
    build
    ;;
  test)
    shift
    setup_build
    setup_tests
    exec node tools/test.mjs "$@"
    ;;
  bench)
    shift
    setup_build
    setup_browsers
    setup_npm bench
    build
    node bench/build.mjs
    exec node bench/run.mjs "$@"
    ;;
  *)
    sed -n '2,8s/^# \{0,1\}//p' "$0"
    [ "$1" = help ] || [ "$1" = --help ] || exit 2
    ;;
esac
