/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that compilers like to contract, from one template.
 */
#include <reap/kernel.h>

REAP_KERNEL_FILE

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAMED(word) JOIN(word, NAME)

#define NAME float
#define TYPE float
#include "tests/conformance/contraction.kernels_tmpl.h"

#define NAME double
#define TYPE double
#include "tests/conformance/contraction.kernels_tmpl.h"
