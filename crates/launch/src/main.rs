//! `mpirun`, also installed as `mpiexec`.
#![forbid(unsafe_code)]

fn main() {
    std::process::exit(dunlin_launch::run(std::env::args_os().skip(1)));
}
