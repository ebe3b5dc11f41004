/* SPDX-License-Identifier: Apache-2.0
 *
 * A stable radix sort of 64-bit records on a device, from the least significant digit on, by the
 * bits that matter. A pass is three launches: each group counts the digits of its part of the
 * records; these counts are summed up; each group writes its records to where they belong. A
 * record's rank among those of its digit comes from bit masks in local memory, so neither
 * sub-groups nor 64-bit atomic operations are needed. (The scheme is that of Satish, Harris and
 * Garland, Designing efficient sorting algorithms for manycore GPUs, IPDPS 2009.)
 *
 * The same three launches also list where segments of sorted records begin (one digit, which only
 * these records have), and turn numbers of values into offsets (a prefix sum).
 *
 * The entry function's text says the threads of a group: REAP__SORT_THREADS.
 */
#ifndef REAP_DETAIL_DEVICE_SORT_H
#define REAP_DETAIL_DEVICE_SORT_H

#define REAP__SORT_BINS 256
#define REAP__SORT_MASKS ((REAP__SORT_THREADS + 31) / 32)               /* words, of each digit */
#define REAP__SORT_WORDS (REAP__SORT_BINS * (1 + REAP__SORT_MASKS) / 2) /* of 64 bits, local */
#define REAP__NO_DIGIT UINT_MAX

#if REAP__SORT_THREADS == 1 /* loops that wait compile slowly */
#define reap__sync_sort() ((void)0)
#else
#define reap__sync_sort() reap__sync()
#endif

/* What is done with `from`. */
#define REAP__PASS_RECORDS 0 /* sorted by bits of the records, */
#define REAP__PASS_ORDER 1   /* or of the words in `order` that they lead to */
#define REAP__PASS_HEADS 2   /* where bits from `shift` on change: the positions, in 32 bits */
#define REAP__PASS_OFFSETS 3 /* their prefix sum, in place, with the total after it */

/* What a pass receives, in scratch memory, where all offsets lead to. The host writes it:
 * src/accelerator/runtime/span_log.c has the same struct. */
struct reap__pass {
    reap__ulong kind;
    reap__ulong from, to;  /* offsets; */
    reap__ulong order;     /* of words to sort by, by slot */
    reap__ulong table;     /* of the counts: of each digit, of each group; then, of each digit */
    reap__ulong length;    /* of how many there are in `from`, */
    reap__ulong length_to; /* and in `to`: records without value are left out */
    reap__ulong groups;
    reap__ulong shift, bins;
    reap__ulong slot_mask;
};

/* A pass in a group. */
struct reap__sort {
    struct reap__pass pass;
    REAP_GLOBAL reap__uchar *m;
    REAP_GLOBAL reap__ulong *from;
    REAP_GLOBAL reap__ulong *table;
    reap__ulong length;
    reap__ulong begin, end; /* the group's part */
};

REAP__FUNCTION struct reap__sort reap__sort_begin(REAP_GLOBAL reap__uchar *m, reap__ulong pass)
{
    struct reap__sort own;
    own.pass = *(const REAP_GLOBAL struct reap__pass *)(m + pass);
    own.m = m;
    own.from = (REAP_GLOBAL reap__ulong *)(m + own.pass.from);
    own.table = (REAP_GLOBAL reap__ulong *)(m + own.pass.table);
    const reap__ulong length = *(const REAP_GLOBAL reap__ulong *)(m + own.pass.length);
    own.length = length;
    const reap__ulong unit = own.pass.groups * REAP__SORT_THREADS;
    const reap__ulong part = (length + unit - 1) / unit * REAP__SORT_THREADS;
    own.begin = part * reap__group() < length ? part * reap__group() : length;
    own.end = own.begin + part < length ? own.begin + part : length;
    return own;
}

/* NO_DIGIT: it takes no part. */
REAP__FUNCTION reap__uint reap__digit_at(const struct reap__sort *own, reap__ulong i)
{
    const reap__ulong record = own->from[i];
    if (own->pass.kind == REAP__PASS_HEADS)
        return i == 0 || (record ^ own->from[i - 1]) >> own->pass.shift != 0 ? 0 : REAP__NO_DIGIT;
    if (record == REAP__NO_RECORD)
        return REAP__NO_DIGIT;
    reap__ulong key = record;
    if (own->pass.kind == REAP__PASS_ORDER)
        key = ((const REAP_GLOBAL reap__ulong *)(own->m +
                                                 own->pass.order))[record & own->pass.slot_mask];
    return (reap__uint)(key >> own->pass.shift) & (reap__uint)(own->pass.bins - 1);
}

/* The sum of what threads before this one have; *total: of all. */
REAP__FUNCTION reap__ulong reap__sum_before(REAP_LOCAL reap__ulong *sums, reap__ulong v,
                                            reap__ulong *total)
{
    const reap__uint thread = (reap__uint)reap__thread();
    sums[thread] = v;
    reap__sync_sort();
    for (reap__uint reach = 1; reach < REAP__SORT_THREADS; reach *= 2) {
        const reap__ulong other = thread >= reach ? sums[thread - reach] : 0;
        reap__sync_sort();
        sums[thread] += other;
        reap__sync_sort();
    }
    const reap__ulong before = sums[thread] - v;
    *total = sums[REAP__SORT_THREADS - 1];
    reap__sync_sort();
    return before;
}

/* ---- The first launch: each group counts ------------------------------------------------------*/

REAP__FUNCTION void reap__sort_count(const struct reap__sort *own, REAP_LOCAL reap__ulong *shared)
{
    REAP_LOCAL reap__uint *const counts = (REAP_LOCAL reap__uint *)shared;
    const reap__uint thread = (reap__uint)reap__thread(), bins = (reap__uint)own->pass.bins;
    reap__ulong sum = 0, total;
    if (own->pass.kind == REAP__PASS_OFFSETS) {
        for (reap__ulong i = own->begin + thread; i < own->end; i += REAP__SORT_THREADS)
            sum += own->from[i];
        reap__sum_before(shared, sum, &total);
        if (thread == 0)
            own->table[reap__group()] = total;
        return;
    }
    for (reap__uint d = thread; d < bins; d += REAP__SORT_THREADS)
        counts[d] = 0;
    reap__sync_sort();
    for (reap__ulong i = own->begin + thread; i < own->end; i += REAP__SORT_THREADS) {
        const reap__uint digit = reap__digit_at(own, i);
#if REAP__SORT_THREADS == 1
        if (digit != REAP__NO_DIGIT)
            counts[digit]++;
#else
        if (digit != REAP__NO_DIGIT)
            reap__atomic_fetch_add(counts + digit, 1u);
#endif
    }
    reap__sync_sort();
    for (reap__uint d = thread; d < bins; d += REAP__SORT_THREADS)
        own->table[d * own->pass.groups + reap__group()] = counts[d];
}

/* ---- The second one: a group for each digit sums up -------------------------------------------*/

REAP__FUNCTION void reap__sort_sum(const struct reap__sort *own, REAP_LOCAL reap__ulong *shared)
{
    REAP_GLOBAL reap__ulong *const row = own->table + reap__group() * own->pass.groups;
    const reap__ulong thread = reap__thread(), groups = own->pass.groups;
    const reap__ulong each = (groups + REAP__SORT_THREADS - 1) / REAP__SORT_THREADS;
    const reap__ulong end = (thread + 1) * each < groups ? (thread + 1) * each : groups;
    reap__ulong sum = 0, total;
    for (reap__ulong g = thread * each; g < end; g++)
        sum += row[g];
    sum = reap__sum_before(shared, sum, &total);
    for (reap__ulong g = thread * each; g < end; g++) {
        const reap__ulong count = row[g];
        row[g] = sum;
        sum += count;
    }
    if (thread == 0)
        own->table[own->pass.bins * groups + reap__group()] = total;
}

/* ---- The third one: each group writes ---------------------------------------------------------*/

REAP__FUNCTION void reap__write_offsets(const struct reap__sort *own,
                                        REAP_LOCAL reap__ulong *shared)
{
    reap__ulong before = own->table[reap__group()], total;
    for (reap__ulong first = own->begin; first < own->end; first += REAP__SORT_THREADS) {
        const reap__ulong i = first + reap__thread();
        const reap__ulong offset =
            before + reap__sum_before(shared, i < own->end ? own->from[i] : 0, &total);
        if (i < own->end)
            own->from[i] = offset;
        before += total;
    }
    if (reap__group() == 0 && reap__thread() == 0)
        own->from[own->length] = own->table[own->pass.groups];
}

/* How many bits are set. */
REAP__FUNCTION reap__uint reap__count_bits(reap__uint word)
{
    word -= word >> 1 & 0x55555555u;
    word = (word & 0x33333333u) + (word >> 2 & 0x33333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0fu;
    return (reap__uint)(word * 0x01010101u) >> 24;
}

/* The number of records with the same digit before the thread's, of those that the group's threads
 * have now; the last of them moves the digit's place. */
REAP__FUNCTION reap__uint reap__take_place(reap__uint digit, REAP_LOCAL reap__uint *places,
                                           REAP_LOCAL reap__uint *masks)
{
    reap__uint place = 0;
#if REAP__SORT_THREADS == 1
    if (digit != REAP__NO_DIGIT)
        place = places[digit]++;
#else
    const reap__uint thread = (reap__uint)reap__thread(), bit = (reap__uint)1 << thread % 32;
    REAP_LOCAL reap__uint *const own = masks + digit * REAP__SORT_MASKS;
    reap__uint before = 0, all = 0;
    if (digit != REAP__NO_DIGIT)
        reap__atomic_fetch_or(own + thread / 32, bit);
    reap__sync_sort();
    if (digit != REAP__NO_DIGIT) {
        for (reap__uint w = 0; w < REAP__SORT_MASKS; w++) {
            const reap__uint word = own[w];
            before += w < thread / 32 ? reap__count_bits(word)
                      : w == thread / 32 ? reap__count_bits(word & (bit - 1))
                                         : 0;
            all += reap__count_bits(word);
        }
        place = places[digit] + before;
    }
    reap__sync_sort();
    if (digit != REAP__NO_DIGIT) {
        if (before == all - 1)
            places[digit] = place + 1;
        own[thread / 32] = 0;
    }
    reap__sync_sort();
#endif
    return place;
}

/* Where the group's first record of each digit belongs. */
REAP__FUNCTION void reap__find_places(const struct reap__sort *own, REAP_LOCAL reap__uint *places,
                                      REAP_LOCAL reap__uint *masks)
{
    const reap__uint thread = (reap__uint)reap__thread(), bins = (reap__uint)own->pass.bins;
    REAP_GLOBAL const reap__ulong *const totals = own->table + bins * own->pass.groups;
    for (reap__uint d = thread; d < bins; d += REAP__SORT_THREADS)
        masks[d] = (reap__uint)totals[d];
    reap__sync_sort();
    for (reap__uint d = thread; d < bins; d += REAP__SORT_THREADS) {
        reap__uint before = 0;
        for (reap__uint e = 0; e < d; e++)
            before += masks[e];
        places[d] = before + (reap__uint)own->table[d * own->pass.groups + reap__group()];
        if (d == bins - 1 && reap__group() == 0)
            *(REAP_GLOBAL reap__ulong *)(own->m + own->pass.length_to) = before + masks[d];
    }
    reap__sync_sort();
    for (reap__uint w = thread; w < bins * REAP__SORT_MASKS; w += REAP__SORT_THREADS)
        masks[w] = 0;
    reap__sync_sort();
}

REAP__FUNCTION void reap__sort_write(const struct reap__sort *own, REAP_LOCAL reap__ulong *shared)
{
    REAP_LOCAL reap__uint *const places = (REAP_LOCAL reap__uint *)shared;
    REAP_LOCAL reap__uint *const masks = places + REAP__SORT_BINS;
    if (own->pass.kind == REAP__PASS_OFFSETS) {
        reap__write_offsets(own, shared);
        return;
    }
    reap__find_places(own, places, masks);
    for (reap__ulong first = own->begin; first < own->end; first += REAP__SORT_THREADS) {
        const reap__ulong i = first + reap__thread();
        const reap__uint digit = i < own->end ? reap__digit_at(own, i) : REAP__NO_DIGIT;
        const reap__uint place = reap__take_place(digit, places, masks);
        if (digit == REAP__NO_DIGIT)
            continue;
        if (own->pass.kind == REAP__PASS_HEADS)
            ((REAP_GLOBAL reap__uint *)(own->m + own->pass.to))[place] = (reap__uint)i;
        else
            ((REAP_GLOBAL reap__ulong *)(own->m + own->pass.to))[place] = own->from[i];
    }
}

#endif
