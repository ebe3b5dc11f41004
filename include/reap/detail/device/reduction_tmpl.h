/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of one scalar reduction, by which entry functions make nodes of its values and
 * combine them (docs/reduction-shape.md). The library puts this text into a program once for each,
 * after the kernel's own; it expects these macros:
 *
 *   REAP__S            its number, on which all names end
 *   reap__type_S       its type; reap__tag_S what stands beside a value (operators.h)
 *   reap__start_of_S   makes what a lane starts as
 *   REAP__WIDTH        the lanes of a node
 *   REAP__ROW_BYTES    a node's, in memory: values, followed by their tags
 *   REAP__OWN_LANES    how many lanes a thread has where nodes climb, and
 *   REAP__OWN_LANE(j)  which ones
 *   REAP__NODES_AT     where nodes lie, in scratch memory; REAP__PARTS_AT, what groups came to;
 *   REAP__SLOTS_AT     nodes that wait, REAP__LEVELS and one of them at each place
 *   REAP__HAS_FLAGS, REAP__HAS_LOCATIONS   whether a tag says that there is a value, or where
 *   REAP__TEAMS        where teams of a group gather, how many; REAP__TEAM_WORDS what each has in
 *                      local memory, in 64 bytes; REAP__TEAM_LANES a thread's lanes of its node;
 *                      REAP__NODES_AT_ONCE how many a thread combines at a time in the end, by
 *                      2^REAP__TURNS_LOG2 turns at most
 *   REAP__BUNDLE       where there are bundles, the tiles of one; REAP__TILE_NODES the index of the
 *                      first tile's node, REAP__TILE_COUNT the number of tiles,
 *                      REAP__PRESENT_IN_TILE(tile) the items from that tile on,
 *                      REAP__BUNDLE_COUNTER(bundle, s) counts the finished tiles of a bundle
 *   REAP__IS_IN_PLACE  whether a value is too large for a thread's own memory
 *   REAP__IS_FLOATING  whether it is a number whose NaNs become canonical ones
 *   REAP__FOLDS_IN_WARP   whether teams fold lines' lanes in registers
 *   REAP__HAS_LINES    where teams reduce rows or columns: REAP__TEAM_THREADS, and REAP__MEMBER,
 * the thread's number in its team
 */
#define REAP__OF(name) REAP__PASTE(reap__##name##_, REAP__S)
#define REAP__T REAP__OF(type)
#define REAP__TAG REAP__OF(tag)
#define REAP__TAGS_AT(count) ((sizeof(REAP__T) * (count) + 15) / 16 * 16)
#if REAP__IS_IN_PLACE
#define REAP__ROOM(name, memory) REAP__VALUE_AT(REAP__T, name, memory)
#else
#define REAP__ROOM(name, memory) REAP__T name[1]
#endif
#if REAP__HAS_LOCATIONS
#define REAP__MARK reap__ulong
#define REAP__MARK_OF(tag) (tag).at
#elif REAP__HAS_FLAGS
#define REAP__MARK reap__uchar
#define REAP__MARK_OF(tag) (tag).set
#endif
#define REAP__WRITE REAP__OF(write)
#define REAP__READ REAP__OF(read)
#define REAP__PUT REAP__OF(put)
#define REAP__GET REAP__OF(get)
#define REAP__MERGE REAP__OF(merge)
#define REAP__CLIMB REAP__OF(climb)
#define REAP__SLOTS REAP__OF(slots)
#define REAP__NODE REAP__OF(node)
#define REAP__GATHER REAP__OF(gather)

/* ---- Values in memory: `count` of them, and then their tags -----------------------------------*/

REAP__FUNCTION void REAP__WRITE(REAP_GLOBAL reap__uchar *m, reap__ulong count, reap__ulong index,
                                const REAP__T *value, const REAP__TAG tag)
{
    REAP__COPY(REAP__T, (REAP_GLOBAL REAP__T *)m + index, value);
#ifdef REAP__MARK
    ((REAP_GLOBAL REAP__MARK *)(m + REAP__TAGS_AT(count)))[index] = REAP__MARK_OF(tag);
#endif
}

REAP__FUNCTION void REAP__READ(REAP_GLOBAL reap__uchar *m, reap__ulong count, reap__ulong index,
                               REAP__T *value, REAP__TAG *tag)
{
    REAP__COPY(REAP__T, value, (REAP_GLOBAL REAP__T *)m + index);
#ifdef REAP__MARK
    REAP__MARK_OF(*tag) = ((REAP_GLOBAL REAP__MARK *)(m + REAP__TAGS_AT(count)))[index];
#endif
}

REAP__FUNCTION void REAP__PUT(REAP_LOCAL reap__uchar *m, reap__ulong count, reap__ulong index,
                              const REAP__T *value, const REAP__TAG tag)
{
    REAP__COPY(REAP__T, (REAP_LOCAL REAP__T *)m + index, value);
#ifdef REAP__MARK
    ((REAP_LOCAL REAP__MARK *)(m + REAP__TAGS_AT(count)))[index] = REAP__MARK_OF(tag);
#endif
}

REAP__FUNCTION void REAP__GET(REAP_LOCAL reap__uchar *m, reap__ulong count, reap__ulong index,
                              REAP__T *value, REAP__TAG *tag)
{
    REAP__COPY(REAP__T, value, (REAP_LOCAL REAP__T *)m + index);
#ifdef REAP__MARK
    REAP__MARK_OF(*tag) = ((REAP_LOCAL REAP__MARK *)(m + REAP__TAGS_AT(count)))[index];
#endif
}

/* ---- Two values -------------------------------------------------------------------------------*/

/* The value on the left becomes what both come to. */
REAP__FUNCTION void REAP__MERGE(REAP__T *value, REAP__TAG *tag, const REAP__T *right,
                                const REAP__TAG right_tag)
{
#if REAP__HAS_LOCATIONS
    reap__merge(tag, value, right_tag.at, *right);
#elif REAP__HAS_FLAGS
    if (right_tag.set)
        reap__combine(tag, value, *right);
#else
    reap__combine(tag, value, *right);
#endif
}

/* The same of two lanes in memory. */
REAP__FUNCTION void REAP__OF(merge_lanes)(REAP_GLOBAL reap__uchar *left, reap__uint left_lane,
                                          REAP_GLOBAL reap__uchar *right, reap__uint right_lane)
{
    REAP__ROOM(a, (REAP_GLOBAL REAP__T *)left + left_lane);
    REAP__ROOM(b, (REAP_GLOBAL REAP__T *)right + right_lane);
    REAP__TAG a_tag, b_tag;
    REAP__READ(left, REAP__WIDTH, left_lane, a, &a_tag);
    REAP__READ(right, REAP__WIDTH, right_lane, b, &b_tag);
    REAP__MERGE(a, &a_tag, b, b_tag);
    REAP__WRITE(left, REAP__WIDTH, left_lane, a, a_tag);
}

/* ---- Nodes ------------------------------------------------------------------------------------*/

/* A thread's lanes of the leaf, or other child, with this number below a node. The node climbs: it
 * combines with each left neighbour that it completes, and stops at the level where it is itself a
 * left node. The last one climbs to the top, past levels without a left neighbour. After a first
 * row, slots has one row for each level, for left nodes that wait. The leaf has items in its first
 * `present` lanes; all lanes of waiting nodes have items. */
REAP__FUNCTION void REAP__CLIMB(REAP_GLOBAL reap__uchar *slots, reap__ulong number, bool is_last,
                                reap__uint present, REAP__T *lanes, REAP__TAG *tags,
                                REAP_GLOBAL reap__uchar *node)
{
    REAP_GLOBAL reap__uchar *slot = slots + REAP__ROW_BYTES;
    REAP__NO_UNROLL
    for (; number != 0 && (is_last || number % 2 != 0); number /= 2, slot += REAP__ROW_BYTES) {
        if (number % 2 == 0)
            continue;
        REAP__UNROLL
        for (reap__uint j = 0; j < REAP__OWN_LANES; j++) {
            REAP__ROOM(left, (REAP_GLOBAL REAP__T *)slot + REAP__OWN_LANE(j));
            REAP__TAG left_tag;
            REAP__READ(slot, REAP__WIDTH, REAP__OWN_LANE(j), left, &left_tag);
            if (REAP__OWN_LANE(j) < present)
                REAP__MERGE(left, &left_tag, &lanes[j], tags[j]);
            REAP__COPY(REAP__T, &lanes[j], left);
            tags[j] = left_tag;
        }
        present = REAP__WIDTH;
    }
    if (is_last)
        slot = node;
    REAP__UNROLL
    for (reap__uint j = 0; j < REAP__OWN_LANES; j++)
        if (REAP__OWN_LANE(j) < present)
            REAP__WRITE(slot, REAP__WIDTH, REAP__OWN_LANE(j), &lanes[j], tags[j]);
}

/* Where the nodes wait of a team, or of a group that gathers, and where that of a tile is. */
REAP__FUNCTION REAP_GLOBAL reap__uchar *REAP__SLOTS(const struct reap_block *b,
                                                    REAP_GLOBAL reap__uchar *m0, reap__ulong place)
{
    return m0 + REAP__SLOTS_AT + place * (REAP__LEVELS + 1) * REAP__ROW_BYTES;
}

REAP__FUNCTION REAP_GLOBAL reap__uchar *REAP__NODE(const struct reap_block *b,
                                                   REAP_GLOBAL reap__uchar *m0, reap__ulong tile)
{
    return REAP__ALIGNED(m0) + REAP__NODES_AT / 16 * 16 + tile * REAP__ROW_BYTES;
}

/* ---- The root ---------------------------------------------------------------------------------*/

#ifdef REAP__TEAMS
/* A warp: nodes of adjacent teams in local memory, so many, the last with items in its first
 * `present` lanes, combine to a thread's lanes of one. Loads are unconditional, as in `bundle`. */
REAP__FUNCTION void REAP__GATHER(REAP_LOCAL reap__ulong8 *rows, reap__uint count,
                                 reap__uint present, REAP__T *lanes, REAP__TAG *tags)
{
    REAP__UNROLL
    for (reap__uint j = 0; j < REAP__OWN_LANES; j++) {
        const reap__uint here = REAP__OWN_LANE(j) < present ? count : count - 1;
        REAP__T a[REAP__TEAMS];
        REAP__TAG t[REAP__TEAMS];
        REAP__UNROLL
        for (reap__uint k = 0; k < REAP__TEAMS; k++)
            REAP__GET((REAP_LOCAL reap__uchar *)(rows + k * REAP__TEAM_WORDS), REAP__WIDTH,
                      REAP__OWN_LANE(j), &a[k], &t[k]);
        REAP__UNROLL
        for (reap__uint apart = 1; apart < REAP__TEAMS; apart *= 2) {
            REAP__UNROLL
            for (reap__uint k = 0; k + apart < REAP__TEAMS; k += 2 * apart)
                if (k + apart < here)
                    REAP__MERGE(&a[k], &t[k], &a[k + apart], t[k + apart]);
        }
        lanes[j] = a[0];
        tags[j] = t[0];
    }
}

/* What they come to is the root, or climbs. */
REAP__FUNCTION void REAP__OF(pass)(const struct reap_block *b, REAP_GLOBAL reap__uchar *m0,
                                   REAP_LOCAL reap__ulong8 *rows, reap__uint count,
                                   reap__uint present, REAP_LOCAL reap__ulong8 *root,
                                   reap__ulong number, bool is_last, reap__ulong tile,
                                   REAP_GLOBAL reap__uchar *slots)
{
    REAP__T lanes[REAP__OWN_LANES];
    REAP__TAG tags[REAP__OWN_LANES];
    REAP__GATHER(rows, count, present, lanes, tags);
    if (root) {
        REAP__UNROLL
        for (reap__uint j = 0; j < REAP__OWN_LANES; j++)
            REAP__PUT((REAP_LOCAL reap__uchar *)root, REAP__WIDTH, REAP__OWN_LANE(j), &lanes[j],
                      tags[j]);
        return;
    }
    REAP__CLIMB(slots ? slots : REAP__SLOTS(b, m0, reap__group()), number, is_last,
                count > 1 ? REAP__WIDTH : present, lanes, tags, REAP__NODE(b, m0, tile));
}

#ifdef REAP__BUNDLE
/* One warp calls this after it has written a tile's node. The warp that finishes the last tile of a
 * bundle combines the nodes of its tiles. All loads are unconditional: a register that is loaded
 * under a condition is live through the whole loop over tiles, and there are too few for rows. */
REAP__OUT_OF_LINE void REAP__OF(bundle)(const struct reap_block *b, REAP_GLOBAL reap__uchar *m0,
                                        reap__ulong tile)
{
    const reap__ulong bundle = tile / REAP__BUNDLE, first = bundle * REAP__BUNDLE;
    const reap__uint count = reap__least(REAP__TILE_COUNT - first, REAP__BUNDLE);
    const reap__uint present = reap__least(REAP__PRESENT_IN_TILE(first + count - 1), REAP__WIDTH);
    if (!reap__is_last_in_warp(REAP__BUNDLE_COUNTER(bundle, REAP__S), count))
        return;
    REAP_GLOBAL reap__uchar *const nodes = REAP__NODE(b, m0, REAP__TILE_NODES + first);
    REAP__UNROLL
    for (reap__uint j = 0; j < REAP__OWN_LANES; j++) {
        const reap__uint here = REAP__OWN_LANE(j) < present ? count : count - 1;
        REAP__T a[REAP__BUNDLE];
        REAP__TAG t[REAP__BUNDLE];
        REAP__UNROLL
        for (reap__uint k = 0; k < REAP__BUNDLE; k++)
            REAP__READ(nodes + (k < count ? k : 0) * (reap__ulong)REAP__ROW_BYTES, REAP__WIDTH,
                       REAP__OWN_LANE(j), &a[k], &t[k]);
        REAP__UNROLL
        for (reap__uint apart = 1; apart < REAP__BUNDLE; apart *= 2) {
            REAP__UNROLL
            for (reap__uint k = 0; k + apart < REAP__BUNDLE; k += 2 * apart)
                if (k + apart < here)
                    REAP__MERGE(&a[k], &t[k], &a[k + apart], t[k + apart]);
        }
        if (here > 0)
            REAP__WRITE(REAP__NODE(b, m0, bundle), REAP__WIDTH, REAP__OWN_LANE(j), &a[0], t[0]);
    }
}
#endif

/* A thread's neighbouring lanes of a team's nodes in scratch memory, `count` of them, combine, some
 * at a time; of the last one the first `present` lanes have items. They go to the team's place in
 * local memory. */
REAP__FUNCTION void REAP__OF(collect)(REAP_GLOBAL reap__uchar *nodes, reap__uint count,
                                      reap__uint present, REAP_LOCAL reap__ulong8 *row,
                                      reap__uint first)
{
    REAP__T a[REAP__NODES_AT_ONCE][REAP__TEAM_LANES], c[REAP__TURNS_LOG2 + 1][REAP__TEAM_LANES];
    REAP__TAG t[REAP__NODES_AT_ONCE][REAP__TEAM_LANES], u[REAP__TURNS_LOG2 + 1][REAP__TEAM_LANES];
    reap__uint here[REAP__TEAM_LANES];
    REAP__UNROLL
    for (reap__uint j = 0; j < REAP__TEAM_LANES; j++)
        here[j] = first + j < present ? count : count - 1;
    REAP__NO_UNROLL
    for (reap__uint n = 0; n < count; n += REAP__NODES_AT_ONCE) {
        REAP__UNROLL
        for (reap__uint k = 0; k < REAP__NODES_AT_ONCE; k++) {
            REAP__UNROLL
            for (reap__uint j = 0; j < REAP__TEAM_LANES; j++)
                if (n + k < count)
                    REAP__READ(nodes + (n + k) * (reap__ulong)REAP__ROW_BYTES, REAP__WIDTH,
                               first + j, &a[k][j], &t[k][j]);
        }
        REAP__UNROLL
        for (reap__uint j = 0; j < REAP__TEAM_LANES; j++) {
            bool is_up = n < here[j];
            REAP__UNROLL
            for (reap__uint apart = 1; apart < REAP__NODES_AT_ONCE; apart *= 2) {
                REAP__UNROLL
                for (reap__uint k = 0; k + apart < REAP__NODES_AT_ONCE; k += 2 * apart)
                    if (n + k + apart < here[j])
                        REAP__MERGE(&a[k][j], &t[k][j], &a[k + apart][j], t[k + apart][j]);
            }
            REAP__UNROLL
            for (reap__uint level = 0; level <= REAP__TURNS_LOG2; level++) {
                if (is_up && (n / REAP__NODES_AT_ONCE >> level & 1) != 0) {
                    REAP__MERGE(&c[level][j], &u[level][j], &a[0][j], t[0][j]);
                    a[0][j] = c[level][j];
                    t[0][j] = u[level][j];
                } else if (is_up) {
                    c[level][j] = a[0][j];
                    u[level][j] = t[0][j];
                    is_up = false;
                }
            }
        }
    }
    REAP__UNROLL
    for (reap__uint j = 0; j < REAP__TEAM_LANES; j++) {
        const reap__uint turns = (here[j] + REAP__NODES_AT_ONCE - 1) / REAP__NODES_AT_ONCE;
        bool is_there = false;
        REAP__UNROLL
        for (reap__uint level = 0; level <= REAP__TURNS_LOG2; level++) {
            if ((turns >> level & 1) == 0)
                continue;
            if (is_there)
                REAP__MERGE(&c[level][j], &u[level][j], &a[0][j], t[0][j]);
            a[0][j] = c[level][j];
            t[0][j] = u[level][j];
            is_there = true;
        }
        if (is_there)
            REAP__PUT((REAP_LOCAL reap__uchar *)row, REAP__WIDTH, first + j, &a[0][j], t[0][j]);
    }
}

/* One step of the fold by halving, in local memory; all threads, which wait for each other behind
 * it. */
REAP__FUNCTION void REAP__OF(halve)(REAP_LOCAL reap__ulong8 *root, reap__uint reach,
                                    reap__uint present)
{
    REAP_LOCAL reap__uchar *const m = (REAP_LOCAL reap__uchar *)root;
    const reap__uint l = reap__thread();
    REAP__T left, right;
    REAP__TAG left_tag, right_tag;
    if (reach >= REAP__WIDTH || l >= reach || l + reach >= present)
        return;
    REAP__GET(m, REAP__WIDTH, l, &left, &left_tag);
    REAP__GET(m, REAP__WIDTH, l + reach, &right, &right_tag);
    REAP__MERGE(&left, &left_tag, &right, right_tag);
    REAP__PUT(m, REAP__WIDTH, l, &left, left_tag);
}
#else

/* Called by all threads of the group, with a barrier afterwards: every second of `count` nodes,
 * `apart` apart, combines with the one on its right. The last has items in its first `present`
 * lanes. */
REAP__FUNCTION void REAP__OF(pair)(REAP_GLOBAL reap__uchar *nodes, reap__ulong count,
                                   reap__ulong apart, reap__uint present)
{
    const reap__uint beside = REAP__FOLD_THREADS < REAP__WIDTH ? REAP__FOLD_THREADS : REAP__WIDTH;
    const reap__uint lane = reap__thread() % beside;
    for (reap__ulong n = reap__thread() / beside * 2 * apart; n + apart < count;
         n += REAP__FOLD_THREADS / beside * 2 * apart) {
        const reap__uint here = n + apart + 1 < count ? REAP__WIDTH : present;
        REAP_GLOBAL reap__uchar *const left = nodes + n * REAP__ROW_BYTES;
        REAP_GLOBAL reap__uchar *const right = left + apart * REAP__ROW_BYTES;
        for (reap__uint l = lane; l < here; l += beside)
            REAP__OF(merge_lanes)(left, l, right, l);
    }
}

/* The same: one step of the fold by halving. */
REAP__FUNCTION void REAP__OF(halve)(REAP_GLOBAL reap__uchar *root, reap__uint reach,
                                    reap__uint present)
{
    if (reach < REAP__WIDTH)
        for (reap__uint l = reap__thread(); l < reach && l + reach < present;
             l += REAP__FOLD_THREADS)
            REAP__OF(merge_lanes)(root, l, root, l + reach);
}

#endif

/* ---- Rows and columns -------------------------------------------------------------------------*/

#ifdef REAP__HAS_LINES
/* Where the node of a team's line is: in the last row of the team's slots. */
REAP__FUNCTION REAP_GLOBAL reap__uchar *
REAP__OF(line_node)(const struct reap_block *b, REAP_GLOBAL reap__uchar *m0, reap__ulong place)
{
    return REAP__SLOTS(b, m0, place) + REAP__LEVELS * REAP__ROW_BYTES;
}

/* One step of the fold of a line's node by halving; its team, which waits afterwards. */
REAP__FUNCTION void REAP__OF(halve_line)(REAP_GLOBAL reap__uchar *row, reap__uint reach,
                                         reap__uint present)
{
    if (reach < REAP__WIDTH)
        for (reap__uint l = REAP__MEMBER; l < reach && l + reach < present; l += REAP__TEAM_THREADS)
            REAP__OF(merge_lanes)(row, l, row, l + reach);
}

/* One thread: what a line has come to combines with its element of the variable. */
REAP__FUNCTION void REAP__OF(store_line)(REAP_GLOBAL reap__uchar *variable, reap__ulong line,
                                         bool includes, const REAP__T *value, const REAP__TAG tag)
{
    REAP_GLOBAL REAP__T *const element = (REAP_GLOBAL REAP__T *)variable + line;
    REAP__ROOM(old, element);
    REAP__TAG old_tag;
#if REAP__HAS_FLAGS
    if (!tag.set)
        return;
    old_tag.set = 1;
#endif
    if (includes) {
        REAP__COPY(REAP__T, old, element);
        REAP__MERGE(old, &old_tag, value, tag);
    } else {
        REAP__COPY(REAP__T, old, value);
    }
#if REAP__IS_FLOATING
    reap__settle(old);
#endif
    REAP__COPY(REAP__T, element, old);
}

/* The same, in the first lane of the line's node. */
REAP__FUNCTION void REAP__OF(store_node)(REAP_GLOBAL reap__uchar *variable, reap__ulong line,
                                         bool includes, REAP_GLOBAL reap__uchar *row)
{
    REAP__ROOM(value, (REAP_GLOBAL REAP__T *)row);
    REAP__TAG tag;
    REAP__READ(row, REAP__WIDTH, 0, value, &tag);
    REAP__OF(store_line)(variable, line, includes, value, tag);
}

#if REAP__FOLDS_IN_WARP
/* All threads of a warp, which is two teams: the lanes that each thread has of its team's node, of
 * which the first `present` have items, fold by halving. Lanes that are a multiple of the team's
 * threads apart are one thread's. */
REAP__FUNCTION void REAP__OF(fold_line)(REAP__T *lanes, REAP__TAG *tags, reap__uint present)
{
    REAP__UNROLL
    for (reap__uint half = REAP__OWN_LANES / 2; half > 0; half /= 2) {
        REAP__UNROLL
        for (reap__uint j = 0; j < half; j++)
            if (REAP__OWN_LANE(j + half) < present)
                REAP__MERGE(&lanes[j], &tags[j], &lanes[j + half], tags[j + half]);
    }
    REAP__UNROLL
    for (reap__uint half = REAP__TEAM_THREADS / 2; half > 0; half /= 2) {
        const REAP__T right = reap__shuffle_down(lanes[0], half);
        const REAP__TAG right_tag = reap__shuffle_down(tags[0], half);
        if (REAP__MEMBER < half && REAP__MEMBER + half < present)
            REAP__MERGE(&lanes[0], &tags[0], &right, right_tag);
    }
}
#endif
#endif

/* ---- Groups -----------------------------------------------------------------------------------*/

#ifdef REAP__HAS_PARTS
/* What a group has come to combines into a lane. */
REAP__FUNCTION void REAP__OF(take)(const struct reap_block *b, REAP_GLOBAL reap__uchar *m0,
                                   reap__ulong group, REAP__T *lane, REAP__TAG *tag)
{
    REAP_GLOBAL reap__uchar *const parts = m0 + REAP__PARTS_AT;
    REAP__ROOM(part, (REAP_GLOBAL REAP__T *)parts + group);
    REAP__TAG part_tag;
    REAP__READ(parts, REAP__PART_COUNT, group, part, &part_tag);
    REAP__MERGE(lane, tag, part, part_tag);
}

/* Folds a group's `present` lanes in local memory by halving from `reach` on, and writes the part.
 * On a processor one thread does it (collectives.h); elsewhere three halvings go from one barrier
 * to the next. */
REAP__FUNCTION void REAP__OF(tree)(reap__ulong threads, REAP_LOCAL reap__ulong8 *shared,
                                   reap__ulong reach, reap__ulong present,
                                   REAP_GLOBAL reap__uchar *m, reap__ulong count, reap__ulong index)
{
    REAP_LOCAL reap__uchar *const lanes = (REAP_LOCAL reap__uchar *)shared;
    REAP__T a[REAP__AT_ONCE];
    REAP__TAG t[REAP__AT_ONCE];
    reap__sync();
    while (reach > 0) {
        const reap__uint ways = reach >= REAP__AT_ONCE / 2 ? REAP__AT_ONCE : (reap__uint)reach * 2;
        reach = reach * 2 / ways;
        for (reap__ulong l = REAP__FIRST_FOLDER; l < reach && l < present;
             l += REAP__FOLDERS(threads)) {
            REAP__UNROLL
            for (reap__uint k = 0; k < REAP__AT_ONCE; k++)
                if (k < ways && l + k * reach < present)
                    REAP__GET(lanes, present, l + k * reach, &a[k], &t[k]);
            REAP__UNROLL
            for (reap__uint pair = REAP__AT_ONCE / 2; pair > 0; pair /= 2) {
                REAP__UNROLL
                for (reap__uint k = 0; k < pair; k++)
                    if (k + pair < ways && l + (k + pair) * reach < present)
                        REAP__MERGE(&a[k], &t[k], &a[k + pair], t[k + pair]);
            }
            REAP__PUT(lanes, present, l, &a[0], t[0]);
        }
        REAP__SYNC_FOLDERS();
        if (reach == 1)
            break;
        reach /= 2;
    }
    if (reap__thread() == 0) {
        REAP__GET(lanes, present, 0, &a[0], &t[0]);
        REAP__WRITE(m, count, index, &a[0], t[0]);
    }
    reap__sync();
}
#endif

#undef REAP__OF
#undef REAP__T
#undef REAP__TAG
#undef REAP__TAGS_AT
#undef REAP__ROOM
#undef REAP__MARK
#undef REAP__MARK_OF
#undef REAP__WRITE
#undef REAP__READ
#undef REAP__PUT
#undef REAP__GET
#undef REAP__MERGE
#undef REAP__CLIMB
#undef REAP__SLOTS
#undef REAP__NODE
#undef REAP__GATHER
