/* SPDX-License-Identifier: Apache-2.0
 *
 * Every atomic word on types of 64 bits, with several orders and scopes, against a serial
 * reference: what it returns, and what it leaves. Then many items on one word.
 */
#include "tests/work_groups/atomic_words_64.kernels.h"

#include "tests/conformance/inputs.h"
#include "tests/conformance/queues.h"
#include "tests/support/memory.h"
#include "tests/work_groups/atomic_orders.h"

#include <math.h>

enum { ITEMS = 60, GROUP = 12, CONTENDERS = 3000 };

#define PARALLEL_FOR(queue, kernel, ...) reap_parallel_for(queue, kernel, __VA_ARGS__)

#define NAME long
#define NAME_TEXT "long"
#define TYPE long
#define UNSIGNED unsigned long
#include "tests/work_groups/atomic_words_tmpl.h"

#define NAME ulong
#define NAME_TEXT "ulong"
#define TYPE unsigned long
#define UNSIGNED unsigned long
#include "tests/work_groups/atomic_words_tmpl.h"

#define NAME llong
#define NAME_TEXT "llong"
#define TYPE long long
#define UNSIGNED unsigned long long
#include "tests/work_groups/atomic_words_tmpl.h"

#define NAME ullong
#define NAME_TEXT "ullong"
#define TYPE unsigned long long
#define UNSIGNED unsigned long long
#include "tests/work_groups/atomic_words_tmpl.h"

#define NAME double
#define NAME_TEXT "double"
#define TYPE double
#include "tests/work_groups/atomic_words_tmpl.h"

static void check_all(reap_queue *queue, uint64_t *random)
{
    if (test_wants("long"))
        check_long(queue, random);
    if (test_wants("ulong"))
        check_ulong(queue, random);
    if (test_wants("llong"))
        check_llong(queue, random);
    if (test_wants("ullong"))
        check_ullong(queue, random);
    if (test_wants("double"))
        check_double(queue, random);
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
