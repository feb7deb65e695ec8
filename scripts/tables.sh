#!/bin/sh
# Makes the tables of algorithms in tables/ from the models of machines, by simulation: a minute for
# each on two cores.
set -eu
cd "$(dirname "$0")/.."
dunlin=${DUNLIN:-.venv/bin/dunlin}

table() {
    "$dunlin" tune "tables/$1.toml" --machine "$1" --nodes 1,2,4,16,64 --ppn "1,8,$(($2 / 2)),$2" \
        --bytes 8,1K,16K,128K,1M
}

# The models of clusters, and the cores of a node.
table aitken-milan 128
table aitken-rome 128
table c5n 36
table c6gn 64
table c7gn 64
table discover-milan 128
table hbv2 120
table hbv3 120
table hbv4 176
table hpc6a 96
table hpc6id 64
table hpc7a 192
table hpc7g 64
table ndr 112
table slingshot 128
