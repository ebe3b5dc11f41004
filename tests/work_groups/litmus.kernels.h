/* SPDX-License-Identifier: Apache-2.0
 *
 * Litmus tests: small programs of two to four roles, which run at the same time on words x and y of
 * an instance that start as 0, and keep what they read in r[0] to r[3]. Each role is a work-group,
 * or in kernels whose name ends in _in_group, a work-item of a sub-group of its own. Roles wait for
 * each other, so that they run at the same time, but not for ever: some may not run yet.
 */
#include <reap/kernel.h>

enum { CHUNK = 8, MOST_ROLES = 4, SUB_GROUP = 32 };
enum { LOOKS = 300, FIRST_LOOKS = 50000 };

/* Publishes that this role has come to a chunk, and looks for some time whether others have. */
static void meet(REAP_GLOBAL uint32_t *progress, size_t role, size_t roles, uint32_t chunk)
{
    reap_atomic_store(&progress[role], chunk + 1);
    for (size_t other = 0; other < roles; other++)
        for (int looks = chunk == 0 ? FIRST_LOOKS : LOOKS; looks > 0; looks--)
            if (reap_atomic_load(&progress[other]) > chunk)
                break;
}

#define PARAMETERS                                                                                 \
    inout(uint32_t, words), inout(uint32_t, r), inout(uint32_t, progress), value(size_t, roles),   \
        value(size_t, instances)

/* One role of one set of instances. */
#define RUN(step, set, role)                                                                       \
    for (size_t done = 0; done < instances; done++) {                                              \
        const size_t i = (set)*instances + done;                                                   \
        if (done % CHUNK == 0)                                                                     \
            meet(&progress[(set)*MOST_ROLES], role, roles, (uint32_t)(done / CHUNK));              \
        step(&words[2 * i], &words[2 * i + 1], &r[i * MOST_ROLES], role);                          \
    }

/* The groups of a role follow each other, since neighbours often run on the same thread. */
#define BETWEEN_GROUPS(step)                                                                       \
    const size_t sets = reap_group_range(0) / roles;                                               \
    if (reap_local_id(0) == 0)                                                                     \
    RUN(step, reap_group_id(0) % sets, reap_group_id(0) / sets)
#define IN_GROUP(step)                                                                             \
    if (reap_local_id(0) % SUB_GROUP == 0)                                                         \
    RUN(step, reap_group_id(0), reap_local_id(0) / SUB_GROUP)

/* What a role does on an instance. */
#define STEP(name)                                                                                 \
    static void step_##name(REAP_GLOBAL uint32_t *x, REAP_GLOBAL uint32_t *y,                      \
                            REAP_GLOBAL uint32_t *r, size_t role)

/* ---- Message passing: y says that x has been written ----------------------------------------- */

#define MESSAGE(name, write, read, scope)                                                          \
    STEP(name)                                                                                     \
    {                                                                                              \
        if (role == 0) {                                                                           \
            reap_atomic_store(x, 1, REAP_ORDER_RELAXED, scope);                                    \
            reap_atomic_store(y, 1, write, scope);                                                 \
        } else {                                                                                   \
            r[0] = reap_atomic_load(y, read, scope);                                               \
            r[1] = reap_atomic_load(x, REAP_ORDER_RELAXED, scope);                                 \
        }                                                                                          \
    }
MESSAGE(mp, REAP_ORDER_RELEASE, REAP_ORDER_ACQUIRE, REAP_SCOPE_DEVICE)
MESSAGE(mp_seq_cst, REAP_ORDER_SEQ_CST, REAP_ORDER_SEQ_CST, REAP_SCOPE_DEVICE)
MESSAGE(mp_relaxed, REAP_ORDER_RELAXED, REAP_ORDER_RELAXED, REAP_SCOPE_DEVICE)
MESSAGE(mp_in_group, REAP_ORDER_RELEASE, REAP_ORDER_ACQUIRE, REAP_SCOPE_WORK_GROUP)

STEP(mp_fences)
{
    if (role == 0) {
        reap_atomic_store(x, 1);
        reap_atomic_fence(REAP_ORDER_RELEASE);
        reap_atomic_store(y, 1);
    } else {
        r[0] = reap_atomic_load(y);
        reap_atomic_fence(REAP_ORDER_ACQUIRE);
        r[1] = reap_atomic_load(x);
    }
}

/* x is accessed as usual: it is read only if y says that it has been written. */
STEP(mp_data)
{
    if (role == 0) {
        *x = 1;
        reap_atomic_fetch_add(y, 1, REAP_ORDER_RELEASE);
    } else {
        r[0] = reap_atomic_fetch_or(y, 0, REAP_ORDER_ACQUIRE);
        r[1] = r[0] != 0 ? *x : 0;
    }
}

REAP_ND_KERNEL(mp, PARAMETERS){BETWEEN_GROUPS(step_mp)}

REAP_ND_KERNEL(mp_seq_cst, PARAMETERS){BETWEEN_GROUPS(step_mp_seq_cst)}

REAP_ND_KERNEL(mp_relaxed, PARAMETERS){BETWEEN_GROUPS(step_mp_relaxed)}

REAP_ND_KERNEL(mp_in_group, PARAMETERS){IN_GROUP(step_mp_in_group)}

REAP_ND_KERNEL(mp_fences, PARAMETERS){BETWEEN_GROUPS(step_mp_fences)}

REAP_ND_KERNEL(mp_data, PARAMETERS){BETWEEN_GROUPS(step_mp_data)}

/* ---- Store buffering: each writes one word and reads the other ------------------------------- */

#define BUFFER(name, write, read)                                                                  \
    STEP(name)                                                                                     \
    {                                                                                              \
        if (role == 0) {                                                                           \
            reap_atomic_store(x, 1, write);                                                        \
            r[0] = reap_atomic_load(y, read);                                                      \
        } else {                                                                                   \
            reap_atomic_store(y, 1, write);                                                        \
            r[1] = reap_atomic_load(x, read);                                                      \
        }                                                                                          \
    }
BUFFER(sb, REAP_ORDER_SEQ_CST, REAP_ORDER_SEQ_CST)
    BUFFER(sb_acquire, REAP_ORDER_RELEASE, REAP_ORDER_ACQUIRE)

        STEP(sb_fences)
{
    if (role == 0) {
        reap_atomic_store(x, 1);
        reap_atomic_fence(REAP_ORDER_SEQ_CST);
        r[0] = reap_atomic_load(y);
    } else {
        reap_atomic_store(y, 1);
        reap_atomic_fence(REAP_ORDER_SEQ_CST);
        r[1] = reap_atomic_load(x);
    }
}

REAP_ND_KERNEL(sb, PARAMETERS){BETWEEN_GROUPS(step_sb)}

REAP_ND_KERNEL(sb_acquire, PARAMETERS){BETWEEN_GROUPS(step_sb_acquire)}

REAP_ND_KERNEL(sb_fences, PARAMETERS){BETWEEN_GROUPS(step_sb_fences)}

/* ---- Load buffering: each reads one word and writes the other -------------------------------- */

#define LOAD_FIRST(name, read, write)                                                              \
    STEP(name)                                                                                     \
    {                                                                                              \
        if (role == 0) {                                                                           \
            r[0] = reap_atomic_load(x, read);                                                      \
            reap_atomic_store(y, 1, write);                                                        \
        } else {                                                                                   \
            r[1] = reap_atomic_load(y, read);                                                      \
            reap_atomic_store(x, 1, write);                                                        \
        }                                                                                          \
    }
LOAD_FIRST(lb, REAP_ORDER_ACQUIRE, REAP_ORDER_RELEASE)
    LOAD_FIRST(lb_relaxed, REAP_ORDER_RELAXED, REAP_ORDER_RELAXED)

        REAP_ND_KERNEL(lb, PARAMETERS){BETWEEN_GROUPS(step_lb)}

REAP_ND_KERNEL(lb_relaxed, PARAMETERS){BETWEEN_GROUPS(step_lb_relaxed)}

/* ---- Coherence, and what is one operation ---------------------------------------------------- */

STEP(coherence)
{
    (void)y;
    if (role == 0) {
        reap_atomic_store(x, 1);
        reap_atomic_store(x, 2);
    } else {
        r[0] = reap_atomic_load(x);
        r[1] = reap_atomic_load(x);
    }
}

STEP(exchanges)
{
    (void)y;
    r[role] = reap_atomic_exchange(x, (uint32_t)role + 1);
}

STEP(comparisons)
{
    uint32_t expected = 0;
    (void)y;
    r[role] =
        reap_atomic_compare_exchange_strong(x, &expected, (uint32_t)role + 1, REAP_ORDER_ACQ_REL);
}

/* Writes of two words by two roles, in opposite order. */
STEP(writes)
{
    (void)r;
    reap_atomic_store(role == 0 ? x : y, 1, REAP_ORDER_SEQ_CST);
    reap_atomic_store(role == 0 ? y : x, 2, REAP_ORDER_SEQ_CST);
}

REAP_ND_KERNEL(coherence, PARAMETERS){BETWEEN_GROUPS(step_coherence)}

REAP_ND_KERNEL(exchanges, PARAMETERS){BETWEEN_GROUPS(step_exchanges)}

REAP_ND_KERNEL(comparisons, PARAMETERS){BETWEEN_GROUPS(step_comparisons)}

REAP_ND_KERNEL(writes, PARAMETERS){BETWEEN_GROUPS(step_writes)}

/* ---- Independent reads of independent writes ------------------------------------------------- */

#define INDEPENDENT(name, write, read)                                                             \
    STEP(name)                                                                                     \
    {                                                                                              \
        if (role < 2) {                                                                            \
            reap_atomic_store(role == 0 ? x : y, 1, write);                                        \
        } else if (role == 2) {                                                                    \
            r[0] = reap_atomic_load(x, read);                                                      \
            r[1] = reap_atomic_load(y, read);                                                      \
        } else {                                                                                   \
            r[2] = reap_atomic_load(y, read);                                                      \
            r[3] = reap_atomic_load(x, read);                                                      \
        }                                                                                          \
    }
INDEPENDENT(iriw, REAP_ORDER_SEQ_CST, REAP_ORDER_SEQ_CST)
    INDEPENDENT(iriw_acquire, REAP_ORDER_RELEASE, REAP_ORDER_ACQUIRE)

        REAP_ND_KERNEL(iriw, PARAMETERS){BETWEEN_GROUPS(step_iriw)}

REAP_ND_KERNEL(iriw_acquire, PARAMETERS)
{
    BETWEEN_GROUPS(step_iriw_acquire)
}
