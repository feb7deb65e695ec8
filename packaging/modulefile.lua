-- Dunlin, for Lmod. It lies in PREFIX/share/modulefiles/dunlin/VERSION.lua and finds the prefix from
-- there: `module use PREFIX/share/modulefiles; module load dunlin`.
local prefix = myFileName():gsub("/share/modulefiles/dunlin/[^/]*$", "")
local version = myModuleVersion()

whatis("Dunlin " .. version .. ": an MPI library of the MPI 5.0 standard ABI, and its launcher")
help("Dunlin " .. version .. " in " .. prefix .. ": mpicc, mpicxx, mpifort, mpirun, dunlin-info; see " ..
     prefix .. "/share/doc/dunlin/README.md.")

-- One MPI library at a time.
family("mpi")

prepend_path("PATH", pathJoin(prefix, "bin"))
prepend_path("PKG_CONFIG_PATH", pathJoin(prefix, "lib/pkgconfig"))
-- For programs that another library built for the standard ABI.
prepend_path("LD_LIBRARY_PATH", pathJoin(prefix, "lib"))
-- Where CMake's FindMPI and others look first.
setenv("MPI_HOME", prefix)
