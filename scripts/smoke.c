/* A sum over all ranks and a large message in both directions: ends with 0 where both are right. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 1 << 18, TAG = 7 };

/* Rank 0 sends a pattern that rank 1 sends back changed: returns how many words came back wrong. */
static int there_and_back(int rank)
{
    int *words = malloc(WORDS * sizeof *words), wrong = 0;
    if (words == NULL) return WORDS;
    for (int i = 0; i < WORDS; i++) words[i] = i;
    if (rank == 0) MPI_Send(words, WORDS, MPI_INT, 1, TAG, MPI_COMM_WORLD);
    MPI_Recv(words, WORDS, MPI_INT, 1 - rank, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < WORDS; i++) wrong += words[i] != (rank == 0 ? 2 * i : i);
    for (int i = 0; i < WORDS; i++) words[i] = 2 * i;
    if (rank == 1) MPI_Send(words, WORDS, MPI_INT, 0, TAG, MPI_COMM_WORLD);
    free(words);
    return wrong;
}

int main(void)
{
    int rank, size, sum, wrong = 0, wrong_anywhere;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank < 2 && size >= 2) wrong = there_and_back(rank);
    wrong += sum != size * (size - 1) / 2;
    MPI_Allreduce(&wrong, &wrong_anywhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) printf("sum over %d ranks: %d; wrong values: %d\n", size, sum, wrong_anywhere);
    MPI_Finalize();
    return wrong_anywhere != 0;
}
