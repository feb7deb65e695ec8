"""Results of other programs as records of a study: OSU's and Intel's benchmarks, and CSV."""
