/* SPDX-License-Identifier: Apache-2.0
 *
 * Every atomic word on types of 32 bits, with several orders and scopes, against a serial
 * reference: what it returns, and what it leaves. Then many items on one word.
 */
#include "tests/work_groups/atomic_words_32.kernels.h"

#include "tests/conformance/inputs.h"
#include "tests/conformance/queues.h"
#include "tests/support/memory.h"
#include "tests/work_groups/atomic_orders.h"

#include <math.h>

enum { ITEMS = 60, GROUP = 12, CONTENDERS = 3000 };

#define PARALLEL_FOR(queue, kernel, ...) reap_parallel_for(queue, kernel, __VA_ARGS__)

#define NAME int
#define NAME_TEXT "int"
#define TYPE int
#define UNSIGNED unsigned
#include "tests/work_groups/atomic_words_tmpl.h"

#define NAME uint
#define NAME_TEXT "uint"
#define TYPE unsigned
#define UNSIGNED unsigned
#include "tests/work_groups/atomic_words_tmpl.h"

#define NAME float
#define NAME_TEXT "float"
#define TYPE float
#include "tests/work_groups/atomic_words_tmpl.h"

static void check_all(reap_queue *queue, uint64_t *random)
{
    if (test_wants("int"))
        check_int(queue, random);
    if (test_wants("uint"))
        check_uint(queue, random);
    if (test_wants("float"))
        check_float(queue, random);
}

int main(void)
{
    uint64_t random = check_seed();
    reap_queue *queues[QUEUES];
    queues_open(queues);
    if (!atomic_orders_are_there(queues[0])) {
        queues_close(queues);
        return check_finish();
    }
    for (size_t q = 0; q < queue_count; q++)
        check_all(queues[q], &random);
    queues_close(queues);
    return check_finish();
}
