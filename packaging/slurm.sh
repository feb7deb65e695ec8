#!/bin/sh
# A job of Slurm. From the login node, in one command:
#
#     sbatch --wait slurm.sh ./a.out input.dat; cat dunlin-*.out
#
# What stands here in lines of #SBATCH may be given to sbatch in their place.
#SBATCH --job-name=dunlin
#SBATCH --output=dunlin-%j.out
#SBATCH --nodes=2
# Ranks on each node: one for each core, unless they run threads of their own.
#SBATCH --ntasks-per-node=2
# Threads of each rank; mpirun binds a rank to as many cores as have so many CPUs.
#SBATCH --cpus-per-task=1
#SBATCH --time=00:10:00
set -eu

# Where Dunlin is a module of the site. Without modules, put its bin/ on PATH in ~/.profile.
if command -v module >/dev/null 2>&1; then
    module load dunlin
fi

# Threads of a hybrid program; harmless for others.
export OMP_NUM_THREADS="${SLURM_CPUS_PER_TASK:-1}"

# What was found, and who will run where: at the top of the output it answers many questions.
dunlin-info launch

# All slots of the job. `srun --mpi=pmix "$@"` would start them by Slurm itself.
mpirun "$@"
