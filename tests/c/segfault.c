/* A rank that a signal kills ends the job; the others, which wait for it, do not hang. */
/* ranks: 2 4 */
/* expect: exit=nonzero */
/* output: (?i)segmentation fault|SIGSEGV|signal:? 11 */
#include "harness.h"
#include <signal.h>

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    if (test_rank == 1)
        raise(SIGSEGV);
    test_await(1, 1);
    return 0;
}
