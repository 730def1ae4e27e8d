# shellcheck shell=bash
# Finds each tool that build.sh needs, or sets it up; sourced by build.sh from the repository's root.
#
# What is found on PATH in the right version is used. What is built here goes to .tools/, so nobody's own
# installation changes. Two things can't live there: the wasm target (rustup's or the distribution's) and the browsers.

root=$PWD
tools=$root/.tools
wasm_pack_version=0.15.1
geckodriver_version=0.37.1

say() { printf '\033[1m%s\033[0m\n' "$*"; }
note() { printf '  %s\n' "$*"; }
die() {
  printf '\nbuild.sh: %s\n' "$1" >&2
  shift
  [ $# -eq 0 ] || printf '  %s\n' "$@" >&2
  exit 1
}

# Runs a command with its output in target/logs/.
quietly() {
  mkdir -p target/logs
  "$@" >"target/logs/$(basename "$1").log" 2>&1 </dev/null
}

# The same for a command that must succeed: when it fails, its output is shown and build.sh ends.
logged() {
  local status=0
  quietly "$@" || status=$?
  [ "$status" -eq 0 ] || {
    cat "target/logs/$(basename "$1").log" >&2
    die "this failed (status $status): $*"
  }
}

on_debian_as_root() {
  [ "$(id -u)" = 0 ] && [ -r /etc/os-release ] && command -v apt-get >/dev/null 2>&1 &&
    grep -qx 'ID=debian' /etc/os-release
}

apt_install() {
  note "apt-get install $*"
  export DEBIAN_FRONTEND=noninteractive
  logged apt-get update -qq
  logged apt-get install -y -qq --no-install-recommends "$@"
}

# The compiler of the distribution, when wasm-target.sh had to choose it, and what was built into .tools/.
setup_paths() {
  PATH=$tools/bin:$PATH
  [ ! -d "$tools/distribution-rust" ] || PATH=$tools/distribution-rust:$PATH
  export PATH
}

setup_node() {
  local major
  if ! command -v node >/dev/null 2>&1 || ! command -v npm >/dev/null 2>&1; then
    die "Node.js 20 or newer and npm are needed." "Get them from https://nodejs.org or from your system's packages."
  fi
  major=$(node -p 'process.versions.node.split(".")[0]')
  [ "$major" -ge 20 ] || die "Node.js 20 or newer is needed; this is $(node --version)."
}

has_wasm_target() {
  local lib
  lib=$(rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null) || return 1
  ls "$lib"/libcore-*.rlib >/dev/null 2>&1
}

setup_rust() {
  local why
  if command -v cargo >/dev/null 2>&1 && command -v rustc >/dev/null 2>&1; then
    has_wasm_target && return
    why="rustup could not add the target wasm32-unknown-unknown"
    if command -v rustup >/dev/null 2>&1; then
      note "rustup target add wasm32-unknown-unknown"
      quietly rustup target add wasm32-unknown-unknown && has_wasm_target && return
      note "  that did not work: $(tail -n 1 target/logs/rustup.log)"
    fi
  else
    why="there is no Rust compiler"
  fi
  on_debian_as_root || die "$why." \
    "Install Rust with rustup (https://rustup.rs), then: rustup target add wasm32-unknown-unknown"
  note "taking Debian's compiler and its library source instead"
  logged tools/wasm-target.sh "$tools/distribution-rust"
  setup_paths
  has_wasm_target || die "Debian's compiler has no wasm32-unknown-unknown target after tools/wasm-target.sh."
}

# cargo_tool CRATE VERSION COMMAND: COMMAND of exactly that version, from PATH or built into .tools/.
cargo_tool() {
  local found
  found=$("$3" --version 2>/dev/null | head -n 1) || found=
  case "$found " in *" $2 "*) return ;; esac
  note "cargo install $1 $2 (into .tools/, a few minutes)"
  # Built to be there soon, not to run fast: they run for seconds.
  export CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_DEBUG=0
  # A registry mirror may lack a version that the tool's own lock file names; then cargo picks what there is.
  quietly cargo install --locked --quiet --root "$tools" --target-dir target/tools "$1@$2" ||
    logged cargo install --quiet --root "$tools" --target-dir target/tools "$1@$2"
  unset CARGO_PROFILE_RELEASE_OPT_LEVEL CARGO_PROFILE_RELEASE_LTO CARGO_PROFILE_RELEASE_DEBUG
  hash -r
}

setup_npm() {
  local folder=$1
  cmp -s "$folder/package-lock.json" "$folder/node_modules/.installed-lock.json" && return
  note "npm ci --prefix $folder"
  logged npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund --loglevel=error
  cp "$folder/package-lock.json" "$folder/node_modules/.installed-lock.json"
}

# What a build needs.
setup_build() {
  setup_paths
  setup_node
  setup_rust
  cargo_tool wasm-pack "$wasm_pack_version" wasm-pack
  cargo_tool wasm-bindgen-cli "$(locked_version wasm-bindgen)" wasm-bindgen
  setup_npm .
}

locked_version() {
  awk -v name="\"$1\"" '$1 == "name" { found = ($3 == name) } found && $1 == "version" { gsub(/"/, "", $3); print $3; exit }' Cargo.lock
}

# CHROME, CHROMEDRIVER, FIREFOX and GECKODRIVER, as far as they are on this machine; tools/browsers.mjs knows the places.
find_browsers() {
  local line
  while IFS= read -r line; do
    export "${line?}"
  done < <(node tools/browsers.mjs)
}

setup_browsers() {
  local missing=()
  find_browsers
  [ -n "${CHROME-}" ] || missing+=(chromium)
  [ -n "${CHROMEDRIVER-}" ] || missing+=(chromium-driver)
  [ -n "${FIREFOX-}" ] || missing+=(firefox-esr)
  # Without a GPU, Firefox's WebGPU needs a Vulkan driver that computes on the CPU.
  [ "$(uname)" != Linux ] || ls /usr/share/vulkan/icd.d/*.json >/dev/null 2>&1 ||
    ls /etc/vulkan/icd.d/*.json >/dev/null 2>&1 || missing+=(mesa-vulkan-drivers)
  [ ${#missing[@]} -gt 0 ] || return 0
  if on_debian_as_root; then
    apt_install "${missing[@]}"
    find_browsers
    if [ -z "${CHROME-}" ] || [ -z "${CHROMEDRIVER-}" ] || [ -z "${FIREFOX-}" ]; then
      die "no browsers after apt-get install ${missing[*]}"
    fi
  else
    die "missing for the tests: ${missing[*]}. This installs them:" "$(browsers_command "${missing[@]}")" \
      "Browsers in unusual places are found through CHROME, CHROMEDRIVER and FIREFOX."
  fi
}

browsers_command() {
  if command -v brew >/dev/null 2>&1; then
    echo "brew install --cask google-chrome firefox chromedriver"
  elif command -v dnf >/dev/null 2>&1; then
    echo "sudo dnf install chromium chromedriver firefox mesa-vulkan-drivers"
  elif command -v pacman >/dev/null 2>&1; then
    echo "sudo pacman -S chromium firefox vulkan-swrast"
  elif grep -qs '^ID=ubuntu' /etc/os-release; then
    echo "sudo snap install chromium firefox && sudo apt-get install mesa-vulkan-drivers"
  else
    echo "sudo apt-get install $*"
  fi
}

# What the tests need beyond a build.
setup_tests() {
  setup_npm bench # its types, for tsc
  setup_npm tests/package # bundlers and linters of packages
  setup_browsers
  if [ -z "${GECKODRIVER-}" ]; then
    cargo_tool geckodriver "$geckodriver_version" geckodriver
    find_browsers
  fi
}
