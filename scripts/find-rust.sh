#!/bin/sh
# Prints the directory that holds a cargo and a rustc new enough for Dunlin, the first of: PATH,
# ~/.cargo/bin, Debian's and Ubuntu's versioned packages. Ends with 1 and prints nothing where
# there is none.
set -eu

RUST_MINOR_LEAST=85 # rust-version of Cargo.toml: 1.85

# The 85 of "rustc 1.85.0 (...)".
minor_of() {
    "$1" --version 2>/dev/null | sed -n 's/^[a-z]* 1\.\([0-9]*\)\..*/\1/p'
}

good() {
    [ -x "$1/cargo" ] && [ -x "$1/rustc" ] || return 1
    for tool in cargo rustc; do
        minor=$(minor_of "$1/$tool")
        [ -n "$minor" ] && [ "$minor" -ge "$RUST_MINOR_LEAST" ] || return 1
    done
}

on_path=$(command -v cargo || true)
for dir in "${on_path%/cargo}" "${CARGO_HOME:-${HOME:-}/.cargo}/bin" /usr/bin \
    /usr/lib/rust-*/bin; do
    if [ -n "$dir" ] && good "$dir"; then
        printf '%s\n' "$dir"
        exit 0
    fi
done
exit 1
