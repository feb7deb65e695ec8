/* Init and finalize, their flags, and the functions that may be called at any time. */
/* ranks: 1 2 4 */
/* args: a 'b c' --d=e */
#include "harness.h"

static void check_flags(int initialized_wanted, int finalized_wanted, const char *when)
{
    int initialized = -1, finalized = -1;
    TRY(MPI_Initialized(&initialized));
    TRY(MPI_Finalized(&finalized));
    CHECK(initialized == initialized_wanted && finalized == finalized_wanted,
          "%s: initialized %d, finalized %d; must be %d, %d", when, initialized, finalized,
          initialized_wanted, finalized_wanted);
}

static void check_version(void)
{
    int version = -1, subversion = -1, length = -1;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    TRY(MPI_Get_version(&version, &subversion));
    CHECK(version == MPI_VERSION && subversion == MPI_SUBVERSION,
          "the library speaks MPI %d.%d, mpi.h %d.%d", version, subversion, MPI_VERSION,
          MPI_SUBVERSION);
    TRY(MPI_Get_library_version(text, &length));
    CHECK(length > 0 && length == (int)strlen(text), "length %d of version text '%s'",
          length, text);
}

static void check_time(void)
{
    double tick = MPI_Wtick(), before = MPI_Wtime();
    CHECK(tick > 0 && tick <= 1e-3, "MPI_Wtick is %g s", tick);
    test_sleep_ms(20);
    double passed = MPI_Wtime() - before;
    CHECK(passed >= 0.019 && passed < 10, "20 ms of sleep took %g s by MPI_Wtime", passed);
}

static void check_world(void)
{
    char name[MPI_MAX_PROCESSOR_NAME];
    int length = -1, self_size = -1, self_rank = -1;
    CHECK(test_size > 0 && test_rank >= 0 && test_rank < test_size, "rank %d of %d", test_rank,
          test_size);
    TRY(MPI_Comm_size(MPI_COMM_SELF, &self_size));
    TRY(MPI_Comm_rank(MPI_COMM_SELF, &self_rank));
    CHECK(self_size == 1 && self_rank == 0, "MPI_COMM_SELF: rank %d of %d", self_rank, self_size);
    TRY(MPI_Get_processor_name(name, &length));
    CHECK(length > 0 && length == (int)strlen(name), "length %d of name '%s'", length, name);
}

static void check_arguments(int argc, char **argv)
{
    CHECK(argc == 4, "%d arguments; 4 were given", argc);
    CHECK(!strcmp(argv[1], "a") && !strcmp(argv[2], "b c") && !strcmp(argv[3], "--d=e"),
          "arguments are '%s' '%s' '%s'", argv[1], argv[2], argv[3]);
}

int main(int argc, char **argv)
{
    int provided = -1, is_main = -1;
    check_flags(0, 0, "before MPI_Init");
    check_version();
    test_start(&argc, &argv);
    check_flags(1, 0, "after MPI_Init");
    check_arguments(argc, argv);
    check_version();
    check_time();
    check_world();
    TRY(MPI_Query_thread(&provided));
    CHECK(provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE, "thread level %d",
          provided);
    TRY(MPI_Is_thread_main(&is_main));
    CHECK(is_main, "the thread that called MPI_Init is not the main thread");
    TRY(MPI_Finalize());
    check_flags(1, 1, "after MPI_Finalize");
    check_version();
    test_say_ok(__FILE__);
    return 0;
}
