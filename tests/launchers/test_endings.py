"""What another launcher learns about a rank at its end: the launcher is a thread of this test that
uses PMI-1."""

import os
import re
import socket
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

from dunlin import checkout, programs
from tests import unless

PREFIX_MISSING = None if (checkout.PREFIX / "bin" / "mpicc").exists() else "make build comes first"
PATIENCE_S = 30
# Variables by which launchers are known: none of the surrounding job's may be there.
TRACES = re.compile("PMI|SLURM|OMPI_|MPI_LOCAL|PALS_|DUNLIN_")
ERR_ARG = 13  # MPI_ERR_ARG of the standard ABI
ANSWERS = {
    "init": "response_to_init pmi_version=1 pmi_subversion=1 rc=0",
    "get_maxes": "maxes kvsname_max=64 keylen_max=64 vallen_max=1024",
    "get_my_kvsname": "my_kvsname kvsname=test-endings",
    "put": "put_result rc=0",
    "barrier_in": "barrier_out",
    "finalize": "finalize_ack rc=0",
}
# With a number as its argument it exits with that; with another word it calls MPI_Finalize when it
# exits, from a handler that is older than its MPI_Init.
PROGRAM = """\
#include <mpi.h>
#include <stdlib.h>
static void finish(void)
{
    MPI_Finalize();
}
int main(int argc, char **argv)
{
    int status = argc > 1 ? atoi(argv[1]) : 0;
    if (argc > 1 && status == 0)
        atexit(finish);
    MPI_Init(0, 0);
    return status;
}
"""
# Another thread is within MPI, in a callback that lasts, when a child is forked; the child exits.
FORKING = """\
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static sem_t within, may_return;
static int forget(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)value, (void)extra;
    sem_post(&within);
    sem_wait(&may_return);
    return MPI_SUCCESS;
}
static void *work(void *keyval)
{
    MPI_Comm_delete_attr(MPI_COMM_SELF, *(int *)keyval);
    return NULL;
}
int main(void)
{
    int provided, keyval, status;
    pthread_t worker;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
    sem_init(&within, 0, 0);
    sem_init(&may_return, 0, 0);
    pthread_create(&worker, NULL, work, &keyval);
    sem_wait(&within);
    pid_t child = fork();
    if (child == 0) {
        alarm(5); /* ends it should it wait for ever */
        exit(3);
    }
    waitpid(child, &status, 0);
    sem_post(&may_return);
    pthread_join(worker, NULL);
    MPI_Comm_free_keyval(&keyval);
    MPI_Finalize();
    return WIFEXITED(status) && WEXITSTATUS(status) == 3 ? 0 : 1;
}
"""


def serve(there: socket.socket, mapping: str, heard: list[str]) -> None:
    """Answers a rank until it is gone, and notes what it has said."""
    answers = {**ANSWERS, "get": f"get_result rc=0 value={mapping}"}
    with there, there.makefile("rw") as lines:
        for line in lines:
            heard.append(line.strip())
            command = line.split()[0].removeprefix("cmd=")
            if answer := answers.get(command):
                lines.write(f"cmd={answer}\n")
                lines.flush()


@unless(PREFIX_MISSING)
class Endings(unittest.TestCase):
    programs: dict[str, Path]

    @classmethod
    def setUpClass(cls):
        directory = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.programs = {}
        for name, text in (("ending", PROGRAM), ("forking", FORKING)):
            source = directory / f"{name}.c"
            source.write_text(text)
            cls.programs[name] = programs.compiled(source, checkout.dunlin(), directory)

    def heard_of(self, program: str, *words: str, size: int = 1, **variables: str):
        """What rank 0 sends to the launcher, and how it ended; each rank has its own host."""
        ours, theirs = socket.socketpair()
        heard: list[str] = []
        mapping = f"(vector,(0,{size},1))"
        launcher = threading.Thread(target=serve, args=(ours, mapping, heard))
        launcher.start()
        clean = {name: value for name, value in os.environ.items() if not TRACES.match(name)}
        with theirs:
            env = {**clean, "PMI_FD": str(theirs.fileno()), "PMI_RANK": "0",
                   "PMI_SIZE": str(size), **variables}
            done = subprocess.run([self.programs[program], *words], env=env,
                                  pass_fds=[theirs.fileno()], capture_output=True, text=True,
                                  timeout=PATIENCE_S, check=False)
        launcher.join(PATIENCE_S)
        return heard, done

    def test_a_rank_that_exits_without_finalize_has_the_job_ended(self):
        heard, done = self.heard_of("ending")
        self.assertIn("cmd=abort exitcode=1", heard)
        self.assertIn("rank 0 on ", done.stderr)
        self.assertIn("it has ended without MPI_Finalize", done.stderr)

    def test_the_status_of_such_a_rank_is_what_the_launcher_hears(self):
        heard, done = self.heard_of("ending", "3")
        self.assertEqual(done.returncode, 3)
        self.assertIn("cmd=abort exitcode=3", heard)
        self.assertIn("it has ended without MPI_Finalize", done.stderr)

    def test_an_exit_handler_that_is_older_than_init_may_finalize(self):
        heard, done = self.heard_of("ending", "handler")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(heard[-1], "cmd=finalize")

    def test_a_forked_child_that_exits_waits_for_nobody_and_says_nothing(self):
        heard, done = self.heard_of("forking")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(heard[-1], "cmd=finalize")

    def test_a_rank_that_cannot_join_its_job_has_it_ended(self):
        heard, done = self.heard_of("ending", size=2, DUNLIN_NET_INTERFACE="nowhere0")
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (ERR_ARG, 1),
                         done.stderr)
        self.assertIn("nowhere0", done.stderr)
        self.assertEqual(heard[-1], f"cmd=abort exitcode={ERR_ARG}")
