/* The calls of abi_vs_standard, by the functions that FUNCTION names. */

void CALLS(pingpong)(int side, long count);
void CALLS(pingpong)(int side, long count)
{
    double data = 0;
    for (long i = 0; i < count; i++) {
        if (side == 0) FUNCTION(Send)(&data, 1, MPI_DOUBLE, 1, TAG, MPI_COMM_WORLD);
        FUNCTION(Recv)(&data, 1, MPI_DOUBLE, 1 - side, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (side == 1) FUNCTION(Send)(&data, 1, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD);
    }
}

/* Messages one way, WINDOW of them at once. */
void CALLS(rate)(int side, long count);
void CALLS(rate)(int side, long count)
{
    static double data[WINDOW];
    MPI_Request requests[WINDOW];
    for (long i = 0; i < count / WINDOW; i++) {
        for (int j = 0; j < WINDOW; j++) {
            if (side == 0)
                FUNCTION(Isend)(&data[j], 1, MPI_DOUBLE, 1, TAG, MPI_COMM_WORLD, &requests[j]);
            else
                FUNCTION(Irecv)(&data[j], 1, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD, &requests[j]);
        }
        FUNCTION(Waitall)(WINDOW, requests, MPI_STATUSES_IGNORE);
        if (side == 0)
            FUNCTION(Recv)(data, 1, MPI_DOUBLE, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            FUNCTION(Send)(data, 1, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD);
    }
}

void CALLS(allreduce)(int side, long count);
void CALLS(allreduce)(int side, long count)
{
    double data = side, sum;
    for (long i = 0; i < count; i++)
        FUNCTION(Allreduce)(&data, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
