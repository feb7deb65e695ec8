#!/bin/sh
# A job of PBS Pro or OpenPBS. From the login node, in one command:
#
#     qsub -W block=true -v PROGRAM="$PWD/a.out" pbs.sh; cat dunlin.o*
#
# What stands here in lines of #PBS may be given to qsub in their place.
#PBS -N dunlin
#PBS -j oe
# Two nodes. mpiprocs is the number of ranks on each: without it there is one, whatever ncpus says.
# ompthreads is the number of threads of each rank; ncpus = mpiprocs x ompthreads.
#PBS -l select=2:ncpus=2:mpiprocs=2:ompthreads=1
#PBS -l place=scatter
#PBS -l walltime=00:10:00
# With Torque the two lines are one:
##PBS -l nodes=2:ppn=2
set -eu

# PBS starts jobs in the home directory.
cd "${PBS_O_WORKDIR:-.}"

# Where Dunlin is a module of the site. Without modules, put its bin/ on PATH in ~/.profile.
if command -v module >/dev/null 2>&1; then
    module load dunlin
fi

# What was found, and who will run where: at the top of the output it answers many questions. No
# counts have to be made from $PBS_NODEFILE by hand.
dunlin-info launch

# All slots of the job. Other nodes are reached by ssh; DUNLIN_RSH names another way.
# shellcheck disable=SC2086 # the program and its arguments are several words
mpirun ${PROGRAM:?qsub -v PROGRAM=... says what to run}
