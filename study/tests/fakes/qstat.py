#!/usr/bin/env python3
"""What the PBS that is none says of its jobs. FAKE_PBS_ALIVE has the numbers of those that run."""

import os
import sys

job = sys.argv[-1]
if job in os.environ.get("FAKE_PBS_ALIVE", "").split():
    print(f"Job Id: {job}\n    Job_Name = x\n    job_state = R\n    queue = batch")
elif os.environ.get("FAKE_PBS_DIALECT") == "torque":
    print(f"Job Id: {job}\n    Job_Name = x\n    job_state = C\n    exit_status = 0")
else:
    sys.exit(f"qstat: Unknown Job Id {job}")
