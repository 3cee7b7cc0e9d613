# shellcheck shell=bash disable=SC2034
# Sourced by tools/quickstart, tools/test, tools/fuzz and tools/offline-compile: installs Debian packages that are missing, and
# nothing else. tests/emulator/ takes the name of clang from here.

# What the releases have under names of their own: clang, of the version that PoCL needs anyway, with libFuzzer and the
# sanitizers; compilers for GPUs that are not here, without a driver (ocloc is in Intel's driver package, which is not to be
# installed). Debian 13 has neither oclgrind nor a compiler for Intel's GPUs.
intel_driver_package=
case $([ ! -r /etc/os-release ] || (. /etc/os-release && echo "${VERSION_CODENAME:-}")) in
  bookworm)
    clang="clang-15"
    fuzz_packages=(clang-15)
    offline_packages=(clang-15 rocm-device-libs libigc1 libigdfcl1 libigdgmm12)
    intel_driver_package=intel-opencl-icd
    test_packages=(clang-15 oclgrind)
    ;;
  trixie)
    clang="clang-18"
    fuzz_packages=(clang-18 libclang-rt-18-dev)
    offline_packages=(clang-18 rocm-device-libs-17)
    test_packages=(clang-18)
    ;;
  *)
    clang=clang
    fuzz_packages=(clang)
    offline_packages=(clang rocm-device-libs)
    test_packages=(clang)
    ;;
esac

build_packages=(build-essential cmake pkg-config ocl-icd-opencl-dev pocl-opencl-icd
  libhts-dev zlib1g-dev libzstd-dev libxxhash-dev libjansson-dev libcairo2-dev)

test_packages+=(libcriterion-dev libparasail-dev libedlib-dev libwfa2-dev emboss samtools tabix jq mesa-opencl-icd
  bcftools python3-biopython python3-bx python3-jsonschema last-align # readers of the output formats; last-align for maf-convert
  librsvg2-bin poppler-utils libxml2-utils chromium fonts-dejavu-core # readers of plots
  zsh fish groff-base)
test_packages+=(libopenmpi-dev openmpi-bin iproute2) # clalign-mpi; tools/cluster
test_packages+=(python3-yaml) # tools/check_packaging
test_packages+=(doxygen) # the reference of the public headers, without warnings
# The Python package: its wheel, tests and types, and what it works with.
test_packages+=(python3-cffi python3-pip python3-setuptools python3-wheel python3-pytest python3-numpy python3-biopython mypy
  python3-pandas python3-matplotlib python3-nbclient python3-ipykernel) # the notebook docs/first-hour.ipynb; study/run

die() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

is_installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Runs a command as root, or says which packages the user has to ask for.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "cannot install packages: this needs root or sudo. Ask an administrator for: ${missing[*]}"
  fi
}

# The package lists of a fresh machine are empty or old; they are fetched once, and only when needed.
update_package_lists() {
  [ -n "${lists_updated:-}" ] && return
  as_root apt-get update -q || die "apt-get update failed; is the network there?"
  lists_updated=yes
}

# install_missing PACKAGE...
install_missing() {
  command -v apt-get >/dev/null ||
    die "this script installs Debian packages; elsewhere install the libraries of docs/installing.md and run cmake yourself"
  missing=()
  local package
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  echo "== installing ${missing[*]}"
  update_package_lists
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" ||
    die "apt-get install failed; its last lines say why"
}

# The user of apt's download sandbox may not write to our folders.
download_package() {
  apt-get download -q -o APT::Sandbox::User=root "$1"
}

# unpack_package PACKAGE FOLDER: what a package holds, without installing it.
unpack_package() {
  mkdir -p "$2"
  (
    cd "$2"
    missing=("$1")
    download_package "$1" >&2 || { update_package_lists >&2 && download_package "$1" >&2; } ||
      die "cannot download the package $1; is the network there?"
    dpkg-deb -x "$1"_*.deb . && rm -f "$1"_*.deb
  ) || exit 1
}

# configure FOLDER [CMAKE OPTION...]
configure() {
  cmake -S . -B "$@" || die "cmake failed; its last lines say why"
}

# build FOLDER [TARGET]
build() {
  cmake --build "$1" --parallel "$(nproc)" ${2:+--target "$2"} ||
    die "the build failed; the first error above says why"
}
