/* Outcomes that libraries have other numbers for, by name. */
static void show_comparison(const char *name, int value)
{
    say(" %s=%s", name,
        value == MPI_IDENT       ? "IDENT"
        : value == MPI_CONGRUENT ? "CONGRUENT"
        : value == MPI_SIMILAR   ? "SIMILAR"
        : value == MPI_UNEQUAL   ? "UNEQUAL"
                                 : "another");
}

static void show_topology(const char *name, int value)
{
    say(" %s=%s", name,
        value == MPI_CART         ? "CART"
        : value == MPI_GRAPH      ? "GRAPH"
        : value == MPI_DIST_GRAPH ? "DIST_GRAPH"
        : value == MPI_UNDEFINED  ? "UNDEFINED"
                                  : "another");
}

static void show_rank(const char *name, int value)
{
    say(" %s=%s", name, rank_name(value));
}

static void show_ranks(const char *name, const int *values, int count)
{
    say(" %s=", name);
    for (int i = 0; i < count; i++)
        say("%s%s", i ? "," : "", rank_name(values[i]));
}

static void show_level(const char *name, int value)
{
    say(" %s=%s", name, value == MPI_THREAD_MULTIPLE ? "MULTIPLE" : "less");
}

static void show_combiner(const char *name, int value)
{
    say(" %s=%s", name,
        value == MPI_COMBINER_NAMED        ? "NAMED"
        : value == MPI_COMBINER_VECTOR     ? "VECTOR"
        : value == MPI_COMBINER_CONTIGUOUS ? "CONTIGUOUS"
                                           : "another");
}

/* Releases what a call made. */
static void free_comm(MPI_Comm *comm)
{
    if (*comm != MPI_COMM_NULL && *comm != MPI_COMM_WORLD && *comm != MPI_COMM_SELF)
        MPI_Comm_free(comm);
}

static void free_group(MPI_Group *made)
{
    if (*made != MPI_GROUP_NULL && *made != MPI_GROUP_EMPTY)
        MPI_Group_free(made);
}

static void free_type(MPI_Datatype *type)
{
    int integers, addresses, types, combiner;
    if (*type == MPI_DATATYPE_NULL)
        return;
    MPI_Type_get_envelope(*type, &integers, &addresses, &types, &combiner);
    if (combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_INTEGER &&
        combiner != MPI_COMBINER_F90_REAL && combiner != MPI_COMBINER_F90_COMPLEX)
        MPI_Type_free(type);
}

/* A request that a call may have left open ends after the case. */
static void later(MPI_Request *request)
{
    if (*request != MPI_REQUEST_NULL && left_overs < 8)
        left_over[left_overs++] = *request;
}

static void combine_c(void *in, void *inout, MPI_Count *length, MPI_Datatype *type)
{
    int count = (int)*length;
    combine(in, inout, &count, type);
}
