/* What every generated case stands on: outcomes as text that does not depend on a library's
 * numbers, and a protocol with the driver. A case writes `B case` before and
 * `E case outcome` after, so that the driver knows which one ended the process. */
#include <limits.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A case that takes longer than this hangs. */
enum { CASE_S_MAX = 4, CLEAN_UP_S_MAX = 2, BYTES = 1 << 16, WORDS_MAX = 4000 };

static FILE *record;
static char words[WORDS_MAX];
static long long in_data[BYTES / 8], out_data[BYTES / 8];

static void say(const char *format, ...)
{
    size_t used = strlen(words);
    va_list list;
    va_start(list, format);
    vsnprintf(words + used, sizeof words - used, format, list);
    va_end(list);
}

static const struct {
    const char *name;
    int number;
} classes[] = {
#include "classes.inc"
};

static const char *class_name(int class)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (classes[i].number == class)
            return classes[i].name;
    return "another class";
}

/* Says the outcome of a call; true if it succeeded. */
static int outcome(int code)
{
    int class = -1;
    if (code == MPI_SUCCESS) {
        say("ok");
        return 1;
    }
    if (MPI_Error_class(code, &class) != MPI_SUCCESS)
        say("no class");
    else
        say("%s", class_name(class));
    return 0;
}

/* Says another outcome after the first. */
static int also(const char *what, int code)
{
    say(" %s:", what);
    return outcome(code);
}

static void show_int(const char *name, long long value)
{
    if (value == MPI_UNDEFINED)
        say(" %s=UNDEFINED", name);
    else
        say(" %s=%lld", name, value);
}

static void show_ints(const char *name, const int *values, int count)
{
    say(" %s=", name);
    for (int i = 0; i < count; i++)
        say("%s%d", i ? "," : "", values[i]);
}

static const char *rank_name(int rank)
{
    static char text[20];
    snprintf(text, sizeof text, "%d", rank);
    return rank == MPI_PROC_NULL    ? "PROC_NULL"
           : rank == MPI_ANY_SOURCE ? "ANY_SOURCE"
           : rank == MPI_UNDEFINED  ? "UNDEFINED"
           : rank == MPI_ROOT       ? "ROOT"
                                    : text;
}

static void show_bytes(const char *name, const void *at)
{
    const unsigned char *bytes = at;
    say(" %s=", name);
    for (int i = 0; i < 8; i++)
        say("%02x", bytes[i]);
}

static int tag_ub(void)
{
    int *value, flag;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
    return *value;
}

static int tag_ub_plus_one(void)
{
    return (int)((unsigned)tag_ub() + 1);
}

static const char *tag_name(int tag)
{
    static char text[20];
    snprintf(text, sizeof text, "%d", tag);
    return tag == MPI_ANY_TAG         ? "ANY_TAG"
           : tag == tag_ub()          ? "TAG_UB"
           : tag == tag_ub_plus_one() ? "TAG_UB+1"
                                      : text;
}

static void show_status(const char *name, const MPI_Status *status)
{
    int count = -77, cancelled = -77;
    say(" %s=%s,%s", name, rank_name(status->MPI_SOURCE), tag_name(status->MPI_TAG));
    MPI_Get_count(status, MPI_BYTE, &count);
    MPI_Test_cancelled(status, &cancelled);
    say(",%d%s", count, cancelled ? ",cancelled" : "");
}

static void show_comm(const char *name, MPI_Comm comm)
{
    int size = -77, topology = MPI_UNDEFINED;
    if (comm == MPI_COMM_NULL || comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF) {
        say(" %s=%s", name, comm == MPI_COMM_NULL ? "null" : "predefined");
        return;
    }
    MPI_Comm_size(comm, &size);
    MPI_Topo_test(comm, &topology);
    say(" %s=size %d%s", name, size, topology == MPI_UNDEFINED ? "" : " topology");
}

static void show_group(const char *name, MPI_Group group)
{
    int size = -77;
    if (group == MPI_GROUP_NULL || group == MPI_GROUP_EMPTY) {
        say(" %s=%s", name, group == MPI_GROUP_NULL ? "null" : "empty");
        return;
    }
    MPI_Group_size(group, &size);
    say(" %s=size %d", name, size);
}

static void show_type(const char *name, MPI_Datatype type)
{
    int size = -77;
    MPI_Aint lb = -77, extent = -77;
    if (type == MPI_DATATYPE_NULL) {
        say(" %s=null", name);
        return;
    }
    MPI_Type_size(type, &size);
    MPI_Type_get_extent(type, &lb, &extent);
    say(" %s=%d bytes, %ld to %ld", name, size, (long)lb, (long)(lb + extent));
}

static void show_errhandler(const char *name, MPI_Errhandler handler)
{
    say(" %s=%s", name,
        handler == MPI_ERRHANDLER_NULL     ? "null"
        : handler == MPI_ERRORS_RETURN     ? "return"
        : handler == MPI_ERRORS_ARE_FATAL  ? "fatal"
                                           : "made");
}

typedef struct {
    const char *name;
    void (*run)(int edge);
    int edge;
} Case;

static void run_case(const Case *one, int number, void (*clean_up)(void))
{
    words[0] = 0;
    for (int i = 0; i < BYTES / 8; i++)
        in_data[i] = i + 1, out_data[i] = -1;
    if (record) {
        fprintf(record, "B\t%d\n", number);
        fflush(record);
    }
    alarm(CASE_S_MAX);
    one->run(one->edge);
    alarm(0);
    if (record) {
        fprintf(record, "E\t%d\t%s\n", number, words);
        fflush(record);
    }
    alarm(CLEAN_UP_S_MAX);
    clean_up();
    alarm(0);
}

static void list(const Case *cases, int count)
{
    for (int i = 0; i < count; i++)
        puts(cases[i].name);
}

/* PROGRAM record number number: runs one case that begins MPI itself. */
static int run_alone(const Case *cases, int count, int argc, char **argv)
{
    if (argc == 2) {
        list(cases, count);
        return 0;
    }
    record = fopen(argv[1], "a");
    alarm(CASE_S_MAX);
    cases[atoi(argv[2])].run(0);
    fprintf(record, "E\t%s\t%s\n", argv[2], words);
    fflush(record);
    _exit(0);
}

/* PROGRAM record first last: runs these cases. PROGRAM --list: names all. */
static int run_cases(const Case *cases, int count, void (*clean_up)(void), int argc, char **argv)
{
    int rank;
    if (argc == 2) {
        list(cases, count);
        return 0;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    record = rank == 0 ? fopen(argv[1], "a") : NULL;
    for (int i = atoi(argv[2]); i < count && i <= atoi(argv[3]); i++)
        run_case(&cases[i], i, clean_up);
    if (record)
        fputs("F\n", record), fflush(record);
    /* What the cases did may have broken the end, which none of them is about. */
    alarm(CLEAN_UP_S_MAX);
    MPI_Finalize();
    return 0;
}
