# SPDX-License-Identifier: Apache-2.0
"""What tests of the tool in Python share: random numbers from a seed that is printed, and checks that
are counted.
"""
import os
import random

import numpy as np

seed = int(os.environ.get("SEED") or random.randrange(1 << 31))
print(f"SEED={seed}")
rng = np.random.default_rng(seed)
random.seed(seed)
made = failed = 0


def check(holds, *what):
    global made, failed
    made += 1
    if not holds:
        failed += 1
        print("failed:", *what)
