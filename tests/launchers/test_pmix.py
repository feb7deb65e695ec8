"""How a rank handles a failing PMIx: this test brings its own library."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from dunlin import checkout, execution, programs
from tests import unless

PREFIX_MISSING = None if (checkout.PREFIX / "bin" / "mpicc").exists() else "make build comes first"
PATIENCE_S = 60
# Variables by which launchers are known: none of the surrounding job's may be there.
TRACES = re.compile("PMI|SLURM|OMPI_|MPI_LOCAL|PALS_|DUNLIN_")
NOT_FOUND, LOST_CONNECTION = -46, -61
# Rank 0 of two, each on a node of its own. Of what was put, only the last value is kept. Who asks
# on another thread than the first is answered by the end of the process, once as much of the stack
# is used as messages of PMIx may take.
LIBRARY = """\
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
typedef struct { char nspace[256]; uint32_t rank; } proc_t;
typedef struct { uint16_t kind; union { uint32_t number; struct { char *at; size_t len; } bytes;
                 uint64_t words[3]; } data; } value_t;
enum { UINT32 = 14, BYTES = 27, STACK_BYTES = 512 << 10 };
static value_t kept;
int PMIx_Init(proc_t *me, void *info, size_t n)
{
    (void)info, (void)n;
    strcpy(me->nspace, "job");
    return 0;
}
int PMIx_Finalize(void *info, size_t n) { (void)info, (void)n; return 0; }
int PMIx_Put(uint8_t scope, const char *key, value_t *value)
{
    (void)scope, (void)key;
    kept = *value;
    kept.data.bytes.at = memcpy(malloc(value->data.bytes.len), value->data.bytes.at,
                                value->data.bytes.len);
    return 0;
}
int PMIx_Commit(void) { return 0; }
int PMIx_Fence(void *procs, size_t n, void *info, size_t m)
{
    (void)procs, (void)n, (void)info, (void)m;
    return 0;
}
static int give(value_t **to, value_t value)
{
    *to = malloc(sizeof(value_t));
    **to = value;
    return 0;
}
int PMIx_Get(const proc_t *proc, const char *key, void *info, size_t n, value_t **value)
{
    (void)info, (void)n;
    const char *status = getenv("PRETENDED_STATUS");
    if (strcmp(key, "pmix.job.size") == 0)
        return give(value, (value_t){.kind = UINT32, .data.number = 2});
    if (strcmp(key, "pmix.nodeid") == 0)
        return give(value, (value_t){.kind = UINT32, .data.number = proc->rank});
    if (status)
        return atoi(status);
    if (gettid() != getpid()) {
        volatile char stack[STACK_BYTES];
        for (size_t at = 0; at < sizeof stack; at += 4096)
            stack[sizeof stack - 1 - at] = 1;
        _exit(stack[0] == 1 ? 1 : 0);
    }
    value_t copy = kept;
    copy.data.bytes.at = memcpy(malloc(kept.data.bytes.len), kept.data.bytes.at,
                                kept.data.bytes.len);
    return give(value, copy);
}
int PMIx_Abort(int status, const char *text, void *procs, size_t n)
{
    (void)status, (void)text, (void)procs, (void)n;
    return 0;
}
const char *PMIx_Error_string(int status) { return status == -61 ? "LOST_CONNECTION" : "OTHER"; }
"""
# It computes for longer than peers wait for a sign of life.
PROGRAM = """\
#include <mpi.h>
#include <unistd.h>
int main(void)
{
    MPI_Init(0, 0);
    sleep(30);
    return 3;
}
"""


@unless(PREFIX_MISSING)
class Pmix(unittest.TestCase):
    library: Path
    program: Path

    @classmethod
    def setUpClass(cls):
        directory = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        for name, text in (("libpmix.c", LIBRARY), ("computes.c", PROGRAM)):
            (directory / name).write_text(text)
        cls.library = directory / "libpmix.so"
        execution.call(["cc", "-D_GNU_SOURCE", "-shared", "-fPIC", "-o", cls.library,
                      directory / "libpmix.c"])
        cls.program = programs.compiled(directory / "computes.c", checkout.dunlin(), directory)

    def run_rank(self, **variables: str) -> subprocess.CompletedProcess:
        """Rank 0, as that library has it."""
        clean = {name: value for name, value in os.environ.items() if not TRACES.match(name)}
        env = {**clean, "PMIX_NAMESPACE": "job", "PMIX_RANK": "0",
               "DUNLIN_LIBPMIX": str(self.library), **variables}
        return subprocess.run([self.program], env=env, capture_output=True, text=True,
                              timeout=PATIENCE_S, check=False)

    def test_a_lost_connection_is_told_from_a_value_that_nobody_has_put(self):
        done = self.run_rank(PRETENDED_STATUS=str(LOST_CONNECTION))
        self.assertIn("answers LOST_CONNECTION to PMIx_Get", done.stderr)
        done = self.run_rank(PRETENDED_STATUS=str(NOT_FOUND))
        self.assertIn("rank 0 has not told the job's key by PMIx", done.stderr)

    def test_the_thread_that_answers_for_a_rank_has_room_for_the_library(self):
        done = self.run_rank(DUNLIN_NET_FABRIC="udp", DUNLIN_NET_TIMEOUT="1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
