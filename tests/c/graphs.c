/* Graph topologies, complete and distributed: neighbours and weights. */
/* ranks: 1 2 3 4 7 */
#include "harness.h"

/* A ring as a graph: the neighbours of each rank are the previous and the next. */
static void whole_graph(void)
{
    MPI_Comm ring;
    int n = test_size, kind = -1, nodes = -1, edges = -1, count = -1, got[2], rank = -1;
    int prev = (test_rank + n - 1) % n, next = (test_rank + 1) % n;
    int *ends = test_alloc(sizeof *ends * (size_t)n);
    int *list = test_alloc(sizeof *list * 2 * (size_t)n);
    for (int r = 0; r < n; r++) {
        ends[r] = 2 * (r + 1);
        list[2 * r] = (r + n - 1) % n;
        list[2 * r + 1] = (r + 1) % n;
    }
    TRY(MPI_Graph_create(MPI_COMM_WORLD, n, ends, list, 0, &ring));
    TRY(MPI_Topo_test(ring, &kind));
    TRY(MPI_Graphdims_get(ring, &nodes, &edges));
    CHECK(kind == MPI_GRAPH && nodes == n && edges == 2 * n, "topology %d: %d nodes, %d edges",
          kind, nodes, edges);
    TRY(MPI_Graph_neighbors_count(ring, test_rank, &count));
    TRY(MPI_Graph_neighbors(ring, test_rank, 2, got));
    CHECK(count == 2 && got[0] == prev && got[1] == next, "%d neighbours: %d and %d", count,
          got[0], got[1]);
    memset(list, -1, sizeof *list * 2 * (size_t)n);
    TRY(MPI_Graph_get(ring, n, 2 * n, ends, list));
    CHECK(ends[n - 1] == 2 * n && list[2 * test_rank] == prev, "the graph comes back changed");
    TRY(MPI_Graph_map(MPI_COMM_WORLD, n, ends, list, &rank));
    CHECK(rank == test_rank, "mapped to %d", rank);
    list[0] = n;
    EXPECT_ERROR(MPI_ERR_ARG, MPI_Graph_create(MPI_COMM_WORLD, n, ends, list, 0, &ring));
    free(list);
    free(ends);
    TRY(MPI_Comm_free(&ring));
}

static void expect_degrees(MPI_Comm graph, int in, int out, int weighted)
{
    int kind = -1, got[3] = {-1, -1, -1};
    TRY(MPI_Topo_test(graph, &kind));
    TRY(MPI_Dist_graph_neighbors_count(graph, &got[0], &got[1], &got[2]));
    CHECK(kind == MPI_DIST_GRAPH && got[0] == in && got[1] == out && got[2] == weighted,
          "topology %d: %d in, %d out, weighted %d; must be %d, %d, %d", kind, got[0], got[1],
          got[2], in, out, weighted);
}

/* Rank r sends to all ranks above it, with weight 10 r + to. */
static void adjacent(void)
{
    MPI_Comm graph;
    int in = test_rank, out = test_size - 1 - test_rank, from[8], to[8], wi[8], wo[8];
    int got_from[8], got_to[8], got_wi[8], got_wo[8];
    for (int r = 0; r < in; r++) {
        from[r] = r;
        wi[r] = 10 * r + test_rank;
    }
    for (int i = 0; i < out; i++) {
        to[i] = test_rank + 1 + i;
        wo[i] = 10 * test_rank + to[i];
    }
    TRY(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in, from, in ? wi : MPI_WEIGHTS_EMPTY, out,
                                       to, out ? wo : MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0,
                                       &graph));
    expect_degrees(graph, in, out, 1);
    TRY(MPI_Dist_graph_neighbors(graph, in, got_from, got_wi, out, got_to, got_wo));
    for (int i = 0; i < in; i++)
        CHECK(got_from[i] == i && got_wi[i] == 10 * i + test_rank, "source %d: %d, weight %d", i,
              got_from[i], got_wi[i]);
    for (int i = 0; i < out; i++)
        CHECK(got_to[i] == to[i] && got_wo[i] == wo[i], "destination %d: %d, weight %d", i,
              got_to[i], got_wo[i]);
    TRY(MPI_Comm_free(&graph));
}

/* Only rank 0 describes the edges: each rank has two edges to the next. */
static void described_by_one(void)
{
    MPI_Comm graph;
    int n = test_rank == 0 ? test_size : 0, sources[8], degrees[8], to[16], from[2], out[2];
    for (int r = 0; r < n; r++) {
        sources[r] = r;
        degrees[r] = 2;
        to[2 * r] = to[2 * r + 1] = (r + 1) % test_size;
    }
    TRY(MPI_Dist_graph_create(MPI_COMM_WORLD, n, sources, degrees, to, MPI_UNWEIGHTED,
                              MPI_INFO_NULL, 0, &graph));
    expect_degrees(graph, 2, 2, 0);
    TRY(MPI_Dist_graph_neighbors(graph, 2, from, MPI_UNWEIGHTED, 2, out, MPI_UNWEIGHTED));
    for (int i = 0; i < 2; i++)
        CHECK(from[i] == (test_rank + test_size - 1) % test_size
                  && out[i] == (test_rank + 1) % test_size,
              "edge %d: from %d, to %d", i, from[i], out[i]);
    TRY(MPI_Comm_free(&graph));
}

int main(int argc, char **argv)
{
    test_start(&argc, &argv);
    TRY(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    whole_graph();
    adjacent();
    described_by_one();
    test_finish();
    return 0;
}
