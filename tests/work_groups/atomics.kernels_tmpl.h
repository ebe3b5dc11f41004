/* SPDX-License-Identifier: Apache-2.0
 *
 * Every atomic operation on one integer type: included once per type by atomics.kernels.h with NAME
 * and TYPE. All items work on each of the cells.
 */
REAP_KERNEL_FILE

#define CHANGE NAMED(change)
#define SPACE REAP_GLOBAL
#include "tests/work_groups/atomics_change_tmpl.h"

#define CHANGE NAMED(change_own)
#define SPACE REAP_LOCAL
#include "tests/work_groups/atomics_change_tmpl.h"

REAP_KERNEL(NAMED(change_in_range), in(TYPE, x), inout(TYPE, cells), out(TYPE, old))
{
    const size_t i = reap_global_id(0);
    NAMED(change)(cells, x[i], old, reap_global_range(0), i);
}

REAP_ND_KERNEL(NAMED(change_in_groups), in(TYPE, x), inout(TYPE, cells), out(TYPE, old))
{
    const size_t i = reap_global_id(0);
    reap_barrier(REAP_GLOBAL_SPACE);
    NAMED(change)(cells, x[i], old, reap_global_range(0), i);
}

REAP_GROUP_KERNEL(NAMED(change_in_phases), in(TYPE, x), inout(TYPE, cells), out(TYPE, old))
{
    reap_for_each_item {
        const size_t i = reap_global_id(0);
        NAMED(change)(cells, x[i], old, reap_global_range(0), i);
    }
}

/* The same on cells of local memory, which start as the global ones do; each group's go to its
 * place among `cells`. */
REAP_ND_KERNEL(NAMED(change_local), in(TYPE, x), inout(TYPE, cells), out(TYPE, old),
               local(TYPE, own))
{
    const size_t i = reap_global_id(0);
    REAP_GLOBAL TYPE *group_cells = cells + reap_group_id(0) * CELLS;
    if (reap_local_id(0) == 0)
        for (size_t c = 0; c < CELLS; c++)
            own[c] = group_cells[c];
    reap_barrier(REAP_LOCAL_SPACE);
    NAMED(change_own)(own, x[i], old, reap_global_range(0), i);
    reap_barrier(REAP_LOCAL_SPACE);
    if (reap_local_id(0) == 0)
        for (size_t c = 0; c < CELLS; c++)
            group_cells[c] = own[c];
}

#undef NAME
#undef TYPE
