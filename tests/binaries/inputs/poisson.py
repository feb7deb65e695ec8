"""Solves Poisson's equation on a grid by petsc4py: conjugate gradients with block Jacobi. Prints
the number of iterations and the norm of the solution."""

import sys

import petsc4py  # type: ignore[import-not-found]

petsc4py.init(sys.argv)
from petsc4py import PETSc  # noqa: E402

SIDE = 60

grid = PETSc.DMDA().create([SIDE, SIDE], stencil_width=1)
matrix = grid.createMatrix()
(west, east), (south, north) = grid.getRanges()
row, column = PETSc.Mat.Stencil(), PETSc.Mat.Stencil()
for j in range(south, north):
    for i in range(west, east):
        row.index = (i, j)
        for at, value in (((i, j), 4.0), ((i - 1, j), -1.0), ((i + 1, j), -1.0),
                          ((i, j - 1), -1.0), ((i, j + 1), -1.0)):
            if 0 <= at[0] < SIDE and 0 <= at[1] < SIDE:
                column.index = at
                matrix.setValueStencil(row, column, value)
matrix.assemble()
right, solution = matrix.createVecs()
right.set(1.0)
solver = PETSc.KSP().create()
solver.setOperators(matrix)
solver.setType("cg")
solver.getPC().setType("bjacobi")
solver.setTolerances(rtol=1e-10)
solver.solve(right, solution)
norm = solution.norm()
if PETSc.COMM_WORLD.rank == 0:
    print(f"iterations {solver.getIterationNumber()} norm {norm:.10e}")
