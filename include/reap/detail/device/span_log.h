/* SPDX-License-Identifier: Apache-2.0
 *
 * The log of a span whose order matters (docs/spans.md), on a device. Nothing is combined while a
 * kernel runs: a work-item writes each value to a slot of its own, and to the same slot of another
 * array a record of where it belongs. An item's slots follow each other, and items' slots are in
 * the order of the items, so that the order in which values are combined is that of their slots; in
 * work-groups, first that of their epochs: the number of the group's barriers, group algorithms and
 * ends of phases before.
 * Then records are sorted (sort.h), and values are combined (span_fold_tmpl.h). A part of spans.h.
 *
 * A record has, from the upper bits to the lower ones: the element's index, the number of the
 * chunk, three bits for the replica, the slot.
 */
#ifndef REAP_DETAIL_DEVICE_SPAN_LOG_H
#define REAP_DETAIL_DEVICE_SPAN_LOG_H

#define REAP__NO_RECORD (~(reap__ulong)0) /* of a slot without value */
#define REAP__NO_SLOT (~(reap__ulong)0)

/* What a launch receives for each span, in scratch memory, where all offsets lead to. The host
 * writes it: src/accelerator/runtime/launch.h has the same struct. */
struct reap__log_plan {
    reap__ulong records;       /* offset of the records */
    reap__ulong order;         /* in work-groups: of each slot's group and epoch, 32 bits each */
    reap__ulong offsets;       /* of the items' first slots, or of how many values they have */
    reap__ulong counters;      /* of the counters below */
    reap__ulong has_offsets;   /* whether items have different numbers of slots */
    reap__ulong is_counted;    /* whether values are only counted */
    reap__ulong slots;         /* of an item, if all have as many */
    reap__ulong first_item;    /* of this launch */
    reap__ulong first_slot;    /* with offsets: what to subtract */
    reap__ulong chunk_size;    /* groups; of items, the binary logarithm */
    reap__ulong slot_bits;     /* of a record */
    reap__ulong index_shift;   /* where the index begins */
    reap__ulong replicas_log2; /* of replicas */
    reap__ulong sorted;        /* offset of the sorted records, */
    reap__ulong lengths;       /* of their number, and of the number of segments */
    reap__ulong heads;         /* of where segments begin */
    reap__ulong firsts;        /* of the slots of replicas' values */
    reap__ulong totals;        /* of each element's value so far, */
    reap__ulong is_set;        /* and whether it has one */
    reap__ulong identity;      /* of the identity, if there is one */
};

/* Counters of a span's log: maxima over items. */
#define REAP__MOST_VALUES 0
#define REAP__LATEST 1
#define REAP__EARLIEST 2 /* of the complement */

/* An item's view. */
struct reap__log {
    struct reap__log_plan plan;
    REAP_GLOBAL reap__ulong *records;
    REAP_GLOBAL reap__uint *counters;
    REAP_GLOBAL reap__ulong *offsets;
    reap__ulong first; /* slot */
    reap__uint slots;
    reap__uint taken;  /* or it had taken so many, if there were as many */
    reap__ulong place; /* the record's chunk and replica */
#ifdef REAP__HAS_GROUPS
    REAP_GLOBAL reap__ulong *order;
    reap__ulong *epoch;
    reap__ulong group;
    reap__uint earliest, latest;
#endif
};

#ifdef REAP__HAS_GROUPS
#define REAP__LOG_FUNCTION REAP__BESIDE_BARRIERS
#else
#define REAP__LOG_FUNCTION REAP__FUNCTION
#endif

REAP__FUNCTION void reap__log_open(struct reap__log *own, REAP_GLOBAL reap__uchar *m,
                                   reap__ulong plan)
{
    own->plan = *(const REAP_GLOBAL struct reap__log_plan *)(m + plan);
    own->records = (REAP_GLOBAL reap__ulong *)(m + own->plan.records);
    own->counters = (REAP_GLOBAL reap__uint *)(m + own->plan.counters);
    own->offsets = (REAP_GLOBAL reap__ulong *)(m + own->plan.offsets);
#ifdef REAP__HAS_GROUPS
    own->order = (REAP_GLOBAL reap__ulong *)(m + own->plan.order);
    own->group = reap__group();
    own->earliest = UINT_MAX;
    own->latest = 0;
#endif
}

/* Before an item: `item` is its number in the range, in the order of groups if there are some. */
REAP__FUNCTION void reap__log_begin(struct reap__log *own, reap__ulong item, reap__ulong chunk,
                                    reap__ulong id)
{
    const reap__ulong replica = id & (((reap__ulong)1 << own->plan.replicas_log2) - 1);
    own->place = (chunk << 3 | replica) << own->plan.slot_bits;
    own->taken = 0;
    own->slots = (reap__uint)own->plan.slots;
    own->first = (item - own->plan.first_item) * own->plan.slots;
    if (own->plan.has_offsets != 0) {
        own->slots = (reap__uint)(own->offsets[item + 1] - own->offsets[item]);
        own->first = own->offsets[item] - own->plan.first_slot;
    }
}

/* The slot of a value; NO_SLOT: there is none. */
REAP__LOG_FUNCTION reap__ulong reap__log_slot(const struct reap__span span)
{
    struct reap__log *const own = span.reap_log;
    if (!reap__is_inside(span))
        return REAP__NO_SLOT;
    const reap__uint taken = own->taken;
    own->taken += taken < UINT_MAX ? 1 : 0;
    if (taken >= own->slots)
        return REAP__NO_SLOT;
    const reap__ulong slot = own->first + taken;
    own->records[slot] = span.index << own->plan.index_shift | own->place | slot;
#ifdef REAP__HAS_GROUPS
    const reap__uint epoch = (reap__uint)*own->epoch;
    own->order[slot] = own->group << 32 | epoch;
    own->earliest = epoch < own->earliest ? epoch : own->earliest;
    own->latest = epoch > own->latest ? epoch : own->latest;
#endif
    return slot;
}

/* Few items find that they have more than all before them. */
REAP__FUNCTION void reap__log_note(const struct reap__log *own, int counter, reap__uint v)
{
    REAP_GLOBAL reap__uint *const most = own->counters + counter;
    if (v > *(volatile REAP_GLOBAL reap__uint *)most)
        reap__atomic_fetch_max(most, v);
}

/* After an item: of slots that it has not taken, too, there is a record. */
REAP__LOG_FUNCTION void reap__log_end(struct reap__log *own, reap__ulong item)
{
    for (reap__uint k = own->taken; k < own->slots; k++)
        own->records[own->first + k] = REAP__NO_RECORD;
    if (own->plan.is_counted != 0)
        own->offsets[item] = own->taken;
    if (own->taken > own->slots)
        reap__log_note(own, REAP__MOST_VALUES, own->taken);
#ifdef REAP__HAS_GROUPS
    if (*own->epoch >> 32 != 0)
        reap__log_note(own, REAP__MOST_VALUES, UINT_MAX);
    if (own->earliest <= own->latest) {
        reap__log_note(own, REAP__LATEST, own->latest);
        reap__log_note(own, REAP__EARLIEST, ~own->earliest);
    }
#endif
}

#define REAP__SPAN_LOG(TAG, T, value)                                                              \
    REAP__OVERLOAD_WITH_BRANCHES void reap__combine_at(TAG tag, REAP__SPAN_SPACE T *x,             \
                                                       const struct reap__span span, T v)          \
    {                                                                                              \
        const reap__ulong reap_slot = reap__log_slot(span);                                        \
        if (reap_slot != REAP__NO_SLOT)                                                            \
            x[reap_slot] = value;                                                                  \
    }
#define REAP__SPAN_BUILTIN(op, T) REAP__SPAN_LOG(struct reap_flag_##op *, T, v)
#define REAP__SPAN_EXTREME(op, T)                                                                  \
    REAP__SPAN_LOG(struct reap_flag_##op *, T, reap__without_minus_zero(v))
#define REAP__USER_SPAN(name, T) REAP__SPAN_LOG(struct REAP__PASTE(reap_flag_, name) *, T, v)
#define REAP__USER_SPAN_NO_IDENTITY(name, T) REAP__USER_SPAN(name, T)

/* ---- Sorted -----------------------------------------------------------------------------------*/

/* The steps of span_fold_tmpl.h. */
#define REAP__FOLD_VALUES 0
#define REAP__FOLD_REPLICAS 1
#define REAP__FOLD_SEGMENTS 2

/* Where a replica's value is: its slot, below its number. */
#define REAP__FIRST_BITS 28
#define REAP__NO_FIRST UINT_MAX

/* The sorted log of a span. */
struct reap__fold {
    REAP_GLOBAL const reap__ulong *records;
    REAP_GLOBAL const reap__uint *heads;
    REAP_GLOBAL reap__uint *firsts;
    REAP_GLOBAL reap__uchar *totals;
    REAP_GLOBAL reap__uchar *is_set;
    REAP_GLOBAL reap__uchar *identity;
    reap__ulong count, segments; /* of records */
    reap__uint slot_bits, index_shift, replicas_log2;
};

REAP__FUNCTION struct reap__fold reap__fold_begin(REAP_GLOBAL reap__uchar *m, reap__ulong at)
{
    const struct reap__log_plan plan = *(const REAP_GLOBAL struct reap__log_plan *)(m + at);
    struct reap__fold fold;
    fold.records = (REAP_GLOBAL const reap__ulong *)(m + plan.sorted);
    fold.heads = (REAP_GLOBAL const reap__uint *)(m + plan.heads);
    fold.firsts = (REAP_GLOBAL reap__uint *)(m + plan.firsts);
    fold.totals = m + plan.totals;
    fold.is_set = m + plan.is_set;
    fold.identity = m + plan.identity;
    fold.count = ((REAP_GLOBAL const reap__ulong *)(m + plan.lengths))[0];
    fold.segments = ((REAP_GLOBAL const reap__ulong *)(m + plan.lengths))[1];
    fold.slot_bits = (reap__uint)plan.slot_bits;
    fold.index_shift = (reap__uint)plan.index_shift;
    fold.replicas_log2 = (reap__uint)plan.replicas_log2;
    return fold;
}

REAP__FUNCTION reap__ulong reap__segment_end(const struct reap__fold fold, reap__ulong segment)
{
    return segment + 1 < fold.segments ? fold.heads[segment + 1] : fold.count;
}

REAP__FUNCTION reap__ulong reap__segment_element(const struct reap__fold fold, reap__ulong segment)
{
    return fold.records[fold.heads[segment]] >> fold.index_shift;
}

#endif
