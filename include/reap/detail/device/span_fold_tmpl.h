/* SPDX-License-Identifier: Apache-2.0
 *
 * How the sorted log of one span (span_log.h) becomes values of its elements, in the order of
 * docs/spans.md. A segment is the values that one chunk has of one element. First a thread for each
 * replica of each segment combines the replica's values, in their order; then a thread for each
 * segment folds the replicas by halving; then a thread for each element combines its segments, from
 * the first to the last. Each result takes the slot of the first value that it is made of. The
 * library puts this text into a program once for each such span; it expects these macros:
 *
 *   REAP__S              the span's number, on which all names end
 *   reap__span_type_S    its type; reap__span_tag_S what stands beside a value (operators.h)
 *   reap__span_begin_S   makes what a replica starts as
 *   REAP__HAS_FLAGS      whether the operator has no identity
 *   REAP__IS_FLOATING    whether NaNs become the canonical one: a built-in operator on such numbers
 */
#define REAP__OF(name) REAP__PASTE(reap__span_##name##_, REAP__S)
#define REAP__T REAP__OF(type)
#define REAP__TAG REAP__OF(tag)
#define REAP__BEGIN REAP__OF(begin)
#define REAP__MERGE_VALUE REAP__OF(merge)
#define REAP__COMBINE_VALUES REAP__OF(combine_values)
#define REAP__COMBINE_REPLICAS REAP__OF(combine_replicas)
#define REAP__COMBINE_SEGMENTS REAP__OF(combine_segments)
#define REAP__HAS_CHANGED REAP__OF(has_changed)

/* *left becomes what both come to. */
REAP__FUNCTION void REAP__MERGE_VALUE(REAP__T *left, REAP_GLOBAL const REAP__T *right)
{
    REAP__TAG tag;
    REAP__T value;
    tag.set = 1;
    REAP__COPY(REAP__T, &value, right);
    reap__combine(&tag, left, value);
}

REAP__FUNCTION void REAP__COMBINE_VALUES(const struct reap_block *b, REAP_GLOBAL reap__uchar *m,
                                         REAP_GLOBAL REAP__T *values, const struct reap__fold fold,
                                         reap__ulong segment, reap__uint replica)
{
    const reap__ulong begin = fold.heads[segment], end = reap__segment_end(fold, segment);
    reap__uint found = 0, first = REAP__NO_FIRST;
    REAP__T own, value;
    REAP__TAG tag;
    REAP__BEGIN(b, m, &own, &tag);
    for (reap__ulong i = begin; i < end; i++) {
        const reap__ulong record = fold.records[i];
        const reap__uint other = (reap__uint)(record >> fold.slot_bits) & 7u;
        found |= 1u << other;
        if (other != replica)
            continue;
        const reap__ulong slot = record & (((reap__ulong)1 << fold.slot_bits) - 1);
        first = first == REAP__NO_FIRST ? (reap__uint)slot : first;
        REAP__COPY(REAP__T, &value, values + slot);
        reap__combine(&tag, &own, value);
    }
    if (first != REAP__NO_FIRST) {
        REAP__COPY(REAP__T, values + first, &own);
        fold.firsts[begin + reap__count_bits(found & ((1u << replica) - 1))] =
            replica << REAP__FIRST_BITS | first;
    }
    if (replica == 0 && begin + reap__count_bits(found) < end)
        fold.firsts[begin + reap__count_bits(found)] = REAP__NO_FIRST;
}

REAP__FUNCTION void REAP__COMBINE_REPLICAS(REAP_GLOBAL REAP__T *values,
                                           const struct reap__fold fold, reap__ulong segment)
{
    const reap__ulong begin = fold.heads[segment], end = reap__segment_end(fold, segment);
    reap__uint at[8];
    for (reap__uint r = 0; r < 8; r++)
        at[r] = REAP__NO_FIRST;
    for (reap__ulong i = begin; i < end && i < begin + 8; i++) {
        const reap__uint first = fold.firsts[i];
        if (first == REAP__NO_FIRST)
            break;
        at[first >> REAP__FIRST_BITS] = first & (((reap__uint)1 << REAP__FIRST_BITS) - 1);
    }
    for (reap__uint reach = ((reap__uint)1 << fold.replicas_log2) / 2; reach > 0; reach /= 2)
        for (reap__uint r = 0; r < reach; r++) {
            if (at[r + reach] == REAP__NO_FIRST)
                continue;
            if (at[r] == REAP__NO_FIRST) {
                at[r] = at[r + reach];
                continue;
            }
            REAP__T own;
            REAP__COPY(REAP__T, &own, values + at[r]);
            REAP__MERGE_VALUE(&own, values + at[r + reach]);
            REAP__COPY(REAP__T, values + at[r], &own);
        }
    fold.firsts[begin] = at[0];
}

/* If the segment is the first of its element. */
REAP__FUNCTION void REAP__COMBINE_SEGMENTS(REAP_GLOBAL REAP__T *values,
                                           const struct reap__fold fold, reap__ulong segment)
{
    const reap__ulong element = reap__segment_element(fold, segment);
    REAP_GLOBAL REAP__T *const total = (REAP_GLOBAL REAP__T *)fold.totals + element;
    if (segment > 0 && reap__segment_element(fold, segment - 1) == element)
        return;
    REAP__T own;
    if (fold.is_set[element] != 0) {
        REAP__COPY(REAP__T, &own, total);
        REAP__MERGE_VALUE(&own, values + fold.firsts[fold.heads[segment]]);
    } else {
        REAP__COPY(REAP__T, &own, values + fold.firsts[fold.heads[segment]]);
    }
    for (segment++; segment < fold.segments; segment++) {
        if (reap__segment_element(fold, segment) != element)
            break;
        REAP__MERGE_VALUE(&own, values + fold.firsts[fold.heads[segment]]);
    }
    REAP__COPY(REAP__T, total, &own);
    fold.is_set[element] = 1;
}

/* One of the three, for this thread's segments. */
REAP__OUT_OF_LINE void REAP__OF(fold)(const struct reap_block *b, REAP_GLOBAL reap__uchar *m,
                                      REAP_GLOBAL reap__uchar *values, reap__ulong plan,
                                      reap__ulong step, reap__ulong thread, reap__ulong threads)
{
    const struct reap__fold fold = reap__fold_begin(m, plan);
    const reap__uint replicas = (reap__uint)1 << fold.replicas_log2;
    const reap__ulong all = fold.segments << (step == REAP__FOLD_VALUES ? fold.replicas_log2 : 0);
    for (reap__ulong i = thread; i < all; i += threads) {
        if (step == REAP__FOLD_VALUES)
            REAP__COMBINE_VALUES(b, m, (REAP_GLOBAL REAP__T *)values, fold, i >> fold.replicas_log2,
                                 (reap__uint)i & (replicas - 1));
        else if (step == REAP__FOLD_REPLICAS)
            REAP__COMBINE_REPLICAS((REAP_GLOBAL REAP__T *)values, fold, i);
        else
            REAP__COMBINE_SEGMENTS((REAP_GLOBAL REAP__T *)values, fold, i);
    }
}

/* An element that no item combined into is unchanged, or the identity; so is one whose values come
 * to what they started from. */
REAP__FUNCTION bool REAP__HAS_CHANGED(const struct reap_block *b, REAP_GLOBAL reap__uchar *m,
                                      const struct reap__fold fold, reap__ulong element)
{
    if (fold.is_set[element] == 0)
        return false;
#if !REAP__HAS_FLAGS
    REAP_GLOBAL const reap__uchar *const total =
        fold.totals + element * (reap__ulong)sizeof(REAP__T);
    REAP__T start;
    REAP__TAG tag;
    REAP__BEGIN(b, m, &start, &tag);
    for (size_t i = 0; i < sizeof(REAP__T); i++)
        if (total[i] != ((const reap__uchar *)&start)[i])
            return true;
    return false;
#else
    return true;
#endif
}

REAP__FUNCTION void REAP__OF(store)(const struct reap_block *b, REAP_GLOBAL reap__uchar *m,
                                    REAP_GLOBAL reap__uchar *variables, reap__ulong plan,
                                    bool initialize, reap__ulong element)
{
    const struct reap__fold fold = reap__fold_begin(m, plan);
    REAP_GLOBAL REAP__T *const variable = (REAP_GLOBAL REAP__T *)variables + element;
    const bool has_changed = REAP__HAS_CHANGED(b, m, fold, element);
    REAP__T own;
    if (!has_changed && !initialize)
        return;
    if (initialize)
        REAP__COPY(REAP__T, &own, (REAP_GLOBAL REAP__T *)fold.identity);
    else
        REAP__COPY(REAP__T, &own, variable);
    if (has_changed) {
        REAP__MERGE_VALUE(&own, (REAP_GLOBAL REAP__T *)fold.totals + element);
#if REAP__IS_FLOATING
        reap__settle(&own);
#endif
    }
    REAP__COPY(REAP__T, variable, &own);
}

#undef REAP__OF
#undef REAP__T
#undef REAP__TAG
#undef REAP__BEGIN
#undef REAP__MERGE_VALUE
#undef REAP__COMBINE_VALUES
#undef REAP__COMBINE_REPLICAS
#undef REAP__COMBINE_SEGMENTS
#undef REAP__HAS_CHANGED
