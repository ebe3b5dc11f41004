/* SPDX-License-Identifier: Apache-2.0
 *
 * Litmus tests: small programs of two to four roles, which run at the same time on words x and y of
 * an instance that start as 0, and keep what they read in r0 to r3. Each role is a work-group, or
 * in kernels whose name ends in _in_group, a work-item of a sub-group of its own. Roles wait for
 * each other, so that they run at the same time, but not for ever: some may not run yet.
 */
#include <reap/kernel.h>

REAP_KERNEL_FILE

enum { CHUNK = 8, MOST_ROLES = 4, SUB_GROUP = 32 };
enum { LOOKS = 300, FIRST_LOOKS = 50000 };

#define RELAXED REAP_ORDER_RELAXED
#define ACQUIRE REAP_ORDER_ACQUIRE
#define RELEASE REAP_ORDER_RELEASE
#define ACQ_REL REAP_ORDER_ACQ_REL
#define SEQ_CST REAP_ORDER_SEQ_CST
#define DEVICE REAP_SCOPE_DEVICE
#define WORK_GROUP REAP_SCOPE_WORK_GROUP

/* Tells others that this role has come to a chunk, and looks for some time whether they have. */
static void meet(REAP_GLOBAL uint32_t *progress, uint32_t role, uint32_t roles, uint32_t chunk)
{
    reap_atomic_store(&progress[role], chunk + 1);
    for (uint32_t other = 0; other < roles; other++)
        for (int looks = chunk == 0 ? FIRST_LOOKS : LOOKS; looks > 0; looks--)
            if (reap_atomic_load(&progress[other]) > chunk)
                break;
}

#define PARAMETERS                                                                                 \
    inout(uint32_t, x), inout(uint32_t, y), inout(uint32_t, r), inout(uint32_t, progress),         \
        value(uint32_t, roles), value(uint32_t, instances)

/* What one role of one set does: groups (or sub-groups) are sets one after the other. */
#define ROLES(role, set, role_0, role_1, role_2, role_3)                                           \
    const uint32_t begin = (set)*instances;                                                        \
    for (uint32_t i = begin; i < begin + instances; i++) {                                         \
        REAP_GLOBAL uint32_t *const result = r + MOST_ROLES * i;                                   \
        (void)result;                                                                              \
        if ((i - begin) % CHUNK == 0)                                                              \
            meet(progress + (set)*MOST_ROLES, role, roles, (i - begin) / CHUNK);                   \
        if ((role) == 0) {                                                                         \
            role_0                                                                                 \
        } else if ((role) == 1) {                                                                  \
            role_1                                                                                 \
        } else if ((role) == 2) {                                                                  \
            role_2                                                                                 \
        } else {                                                                                   \
            role_3                                                                                 \
        }                                                                                          \
    }
/* Neighbouring groups often run on the same thread. */
#define AMONG_GROUPS(role_0, role_1, role_2, role_3)                                               \
    const uint32_t sets = (uint32_t)reap_group_range(0) / roles;                                   \
    const uint32_t group = (uint32_t)reap_group_id(0), role = group / sets, set = group % sets;    \
    if (reap_local_id(0) != 0)                                                                     \
        return;                                                                                    \
    ROLES(role, set, role_0, role_1, role_2, role_3)
#define IN_GROUP(role_0, role_1)                                                                   \
    const uint32_t set = (uint32_t)reap_group_id(0);                                               \
    const uint32_t role = (uint32_t)reap_local_id(0) / SUB_GROUP;                                  \
    if (reap_local_id(0) % SUB_GROUP != 0)                                                         \
        return;                                                                                    \
    ROLES(role, set, role_0, role_1, , )

/* ---- Message passing: y says that x has been written ----------------------------------------- */

#define PASS(write, read, scope)                                                                   \
    reap_atomic_store(&x[i], 1, RELAXED, scope);                                                   \
    reap_atomic_store(&y[i], 1, write, scope);                                                     \
    , result[0] = reap_atomic_load(&y[i], read, scope);                                            \
    result[1] = reap_atomic_load(&x[i], RELAXED, scope);
#define AMONG_GROUPS_2(...) AMONG_GROUPS(__VA_ARGS__, , )
#define IN_GROUP_2(...) IN_GROUP(__VA_ARGS__)

REAP_ND_KERNEL(mp, PARAMETERS){AMONG_GROUPS_2(PASS(RELEASE, ACQUIRE, DEVICE))}

REAP_ND_KERNEL(mp_seq_cst, PARAMETERS){AMONG_GROUPS_2(PASS(SEQ_CST, SEQ_CST, DEVICE))}

REAP_ND_KERNEL(mp_relaxed, PARAMETERS){AMONG_GROUPS_2(PASS(RELAXED, RELAXED, DEVICE))}

REAP_ND_KERNEL(mp_in_group, PARAMETERS){IN_GROUP_2(PASS(RELEASE, ACQUIRE, WORK_GROUP))}

REAP_ND_KERNEL(mp_fences, PARAMETERS)
{
    AMONG_GROUPS(reap_atomic_store(&x[i], 1); reap_atomic_fence(RELEASE);
                 reap_atomic_store(&y[i], 1);, result[0] = reap_atomic_load(&y[i]);
                 reap_atomic_fence(ACQUIRE); result[1] = reap_atomic_load(&x[i]);, , )
}

/* x is accessed as usual: it is read only if y says that it has been written. */
REAP_ND_KERNEL(mp_data, PARAMETERS)
{
    AMONG_GROUPS(x[i] = 1; reap_atomic_fetch_add(&y[i], 1, RELEASE);
                 , const uint32_t seen = reap_atomic_fetch_or(&y[i], 0, ACQUIRE); result[0] = seen;
                 result[1] = seen != 0 ? x[i] : 0;, , )
}

/* ---- Store buffering: each writes one word and reads the other ------------------------------- */

#define BUFFER(write, read, scope)                                                                 \
    reap_atomic_store(&x[i], 1, write, scope);                                                     \
    result[0] = reap_atomic_load(&y[i], read, scope);                                              \
    , reap_atomic_store(&y[i], 1, write, scope);                                                   \
    result[1] = reap_atomic_load(&x[i], read, scope);

REAP_ND_KERNEL(sb, PARAMETERS){AMONG_GROUPS_2(BUFFER(SEQ_CST, SEQ_CST, DEVICE))}

REAP_ND_KERNEL(sb_acquire, PARAMETERS){AMONG_GROUPS_2(BUFFER(RELEASE, ACQUIRE, DEVICE))}

REAP_ND_KERNEL(sb_fences, PARAMETERS)
{
    AMONG_GROUPS(reap_atomic_store(&x[i], 1); reap_atomic_fence(SEQ_CST);
                 result[0] = reap_atomic_load(&y[i]);, reap_atomic_store(&y[i], 1);
                 reap_atomic_fence(SEQ_CST); result[1] = reap_atomic_load(&x[i]);, , )
}

/* ---- Load buffering: each reads one word and writes the other -------------------------------- */

#define LOAD_FIRST(read, write, scope)                                                             \
    result[0] = reap_atomic_load(&x[i], read, scope);                                              \
    reap_atomic_store(&y[i], 1, write, scope);                                                     \
    , result[1] = reap_atomic_load(&y[i], read, scope);                                            \
    reap_atomic_store(&x[i], 1, write, scope);

REAP_ND_KERNEL(lb, PARAMETERS){AMONG_GROUPS_2(LOAD_FIRST(ACQUIRE, RELEASE, DEVICE))}

REAP_ND_KERNEL(lb_relaxed, PARAMETERS){AMONG_GROUPS_2(LOAD_FIRST(RELAXED, RELAXED, DEVICE))}

/* ---- Coherence, and what is one operation ---------------------------------------------------- */

REAP_ND_KERNEL(coherence, PARAMETERS)
{
    AMONG_GROUPS(reap_atomic_store(&x[i], 1); reap_atomic_store(&x[i], 2);
                 , result[0] = reap_atomic_load(&x[i]); result[1] = reap_atomic_load(&x[i]);, , )
}

REAP_ND_KERNEL(exchanges, PARAMETERS)
{
    AMONG_GROUPS(result[0] = reap_atomic_exchange(&x[i], 1);
                 , result[1] = reap_atomic_exchange(&x[i], 2);, , )
}

REAP_ND_KERNEL(comparisons, PARAMETERS)
{
    AMONG_GROUPS(uint32_t zero = 0;
                 result[0] = reap_atomic_compare_exchange_strong(&x[i], &zero, 1, ACQ_REL);
                 , uint32_t zero = 0;
                 result[1] = reap_atomic_compare_exchange_strong(&x[i], &zero, 2, ACQ_REL);, , )
}

/* Writes of two words by two roles, in opposite order. */
REAP_ND_KERNEL(writes, PARAMETERS)
{
    AMONG_GROUPS(reap_atomic_store(&x[i], 1, SEQ_CST); reap_atomic_store(&y[i], 2, SEQ_CST);
                 , reap_atomic_store(&y[i], 1, SEQ_CST); reap_atomic_store(&x[i], 2, SEQ_CST);, , )
}

/* ---- Independent reads of independent writes ------------------------------------------------- */

#define READ_BOTH(read)                                                                            \
    result[0] = reap_atomic_load(&x[i], read);                                                     \
    result[1] = reap_atomic_load(&y[i], read);                                                     \
    , result[2] = reap_atomic_load(&y[i], read);                                                   \
    result[3] = reap_atomic_load(&x[i], read);
#define AMONG_GROUPS_4(...) AMONG_GROUPS(__VA_ARGS__)

REAP_ND_KERNEL(iriw, PARAMETERS)
{
    AMONG_GROUPS_4(reap_atomic_store(&x[i], 1, SEQ_CST);, reap_atomic_store(&y[i], 1, SEQ_CST);
                   , READ_BOTH(SEQ_CST))
}

REAP_ND_KERNEL(iriw_acquire, PARAMETERS)
{
    AMONG_GROUPS_4(reap_atomic_store(&x[i], 1, RELEASE);, reap_atomic_store(&y[i], 1, RELEASE);
                   , READ_BOTH(ACQUIRE))
}
