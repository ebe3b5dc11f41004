/* SPDX-License-Identifier: Apache-2.0
 *
 * No product and sum of a kernel becomes one operation, in any instruction set: a contracted one
 * rounds once instead of twice. (gcc 12's vectoriser makes alternating sums and differences of
 * products into vfmaddsub even under -ffp-contract=off.)
 */
#include "tests/conformance/contraction.kernels.h"

#include "tests/conformance/group.h"
#include "tests/conformance/instruction_sets.h"
#include "tests/conformance/queues.h"
#include "tests/conformance/reference_builtin.h"
#include "tests/support/memory.h"

#define NAME float
#define TYPE float
#include "tests/conformance/contraction_tmpl.h"

#define NAME double
#define TYPE double
#include "tests/conformance/contraction_tmpl.h"

static int body(unsigned set, const void *context)
{
    uint64_t random = *(const uint64_t *)context;
    reap_queue *queue;
    CHECK_STATUS(reap_queue_create(NULL, NULL, &queue), REAP_OK);
    printf("%s\n", instruction_sets[set]);
    check_contraction_float(queue, INPUT_FLOAT, &random);
    check_contraction_double(queue, INPUT_DOUBLE, &random);
    reap_queue_release(queue);
    return check_finish();
}

int main(void)
{
    const uint64_t random = check_seed();
    CHECK_EQ(in_each_instruction_set(body, &random), 0);
    return check_finish();
}
