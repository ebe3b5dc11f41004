/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of reap.Part. */
#ifndef REAP_PYTHON_EXTENSION_PART_KERNELS_H
#define REAP_PYTHON_EXTENSION_PART_KERNELS_H

struct reap_kernel;

/* The kernel for a kind ("sum", "exact_sum", "min", "max", "moments") and a letter of
 * python/reap/_ctypes.py; NULL: neither is known. */
const struct reap_kernel *reap__py_part_kernel(const char *kind, int letter);

#endif
