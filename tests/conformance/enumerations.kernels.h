/* SPDX-License-Identifier: Apache-2.0
 *
 * Enumerations and wchar_t wherever a built-in operator or an atomic operation takes an integer: in
 * C they are compatible with one.
 */
#include <reap/kernel.h>

enum level { NONE, LOW = 3, HIGH = 1000 };
enum side { LEFT = -5, MIDDLE = 0, RIGHT = 7 };
typedef enum level grade;

REAP_OPERATOR(worse_side, enum side, RIGHT, a, b)
{
    return b < a ? b : a;
}

static void combine_twice(REAP_ITEM, reap_reducer(plus, grade, sum), grade v)
{
    reap_combine(sum, v);
    reap_combine(sum, HIGH);
}

REAP_KERNEL(reduce_enumerations, in(enum level, levels), in(enum side, sides),
            reduce(plus, grade, sum), reduce(multiplies, enum level, product),
            reduce(bit_or, enum level, bits), reduce(minimum, enum side, least),
            reduce(minimum, grade, lowest), reduce(maximum, enum level, peak),
            reduce_with(worse_side, enum side, worst), reduce_location(maximum, grade, highest),
            reduce_location(minimum, enum side, leftmost), reduce_span(plus, enum level, sums),
            reduce_span(maximum, enum side, most), out(enum level, identities), out(int, known))
{
    const size_t i = reap_global_id(0);
    combine_twice(REAP_THIS_ITEM, reap_pass(sum), levels[i]);
    reap_combine(product, levels[i]);
    reap_combine(product, 3);
    reap_combine(bits, levels[i]);
    reap_combine(bits, i % 2 == 0 ? LOW : NONE);
    reap_combine(least, sides[i]);
    reap_combine(lowest, levels[i] == NONE ? LOW : levels[i]);
    reap_combine(peak, (enum level)(0x80000000u - 1000 + i)); /* their type has no sign */
    reap_combine(worst, sides[i]);
    reap_combine(highest, levels[i]);
    reap_combine(leftmost, sides[i]);
    reap_combine_at(sums, i % 3, levels[i]);
    reap_combine_at(most, i % 2, sides[i]);
    if (i == 0)
        identities[0] = reap_known_identity(minimum, grade);
    known[i] = reap_has_known_identity(bit_xor, enum side);
}

/* One group. */
REAP_ND_KERNEL(group_enumerations, inout(enum level, levels), inout(enum side, sides),
               out(enum level, reduced), out(enum side, scanned), out(enum level, joint),
               reduce(plus, enum level, sum), reduce_span(bit_or, enum level, seen))
{
    const size_t i = reap_global_id(0), count = reap_global_range(0);
    reap_combine(sum, levels[i]);
    reap_combine_at(seen, i % 3, levels[i]);
    reduced[i] = reap_group_reduce(maximum, grade, levels[i]);
    scanned[i] = reap_group_inclusive_scan(minimum, enum side, sides[i]);
    reap_group_joint_inclusive_scan(plus, enum level, levels, joint, count);
    const enum level all = reap_group_joint_reduce(bit_or, enum level, levels, count);
    const enum side before = reap_group_exclusive_scan(maximum, enum side, sides[i]);
    const enum side first = reap_group_broadcast(enum side, sides[i], 0);
    reap_barrier(REAP_GLOBAL_SPACE);
    if (i > 0 && before >= first)
        reap_atomic_fetch_max(&sides[0], before);
    if (i == 1)
        reap_atomic_exchange(&levels[1], all);
    if (i != 1)
        reap_atomic_fetch_add(&levels[0], LOW);
}

/* Letters. */
static REAP_CONSTANT const wchar_t vowels[6] = L"aeiou";

static void combine_letters(REAP_ITEM, reap_reducer(plus, wchar_t, sum), wchar_t v)
{
    reap_combine(sum, v);
    reap_combine(sum, L'a');
    reap_combine(sum, 2);
}

REAP_KERNEL(reduce_letters, in(wchar_t, letters), out(wchar_t, later), reduce(plus, wchar_t, sum),
            reduce(minimum, wchar_t, least), reduce_location(maximum, wchar_t, last),
            reduce_span(bit_or, wchar_t, seen))
{
    const size_t i = reap_global_id(0);
    const wchar_t letter = letters[i];
    combine_letters(REAP_THIS_ITEM, reap_pass(sum), letter);
    reap_combine(least, letter == L'c' ? L'\x3b1' : letter);
    reap_combine(last, letter);
    reap_combine_at(seen, i % 3, letter);
    later[i] = letter == reap_known_identity(minimum, wchar_t)
                   ? (wchar_t)sizeof(L'a')
                   : reap_operate(maximum, letter, L'k') + (vowels[i % 5] - L'a');
}

/* One group. */
REAP_ND_KERNEL(group_letters, inout(wchar_t, letters), out(wchar_t, reduced), out(wchar_t, scanned))
{
    const size_t i = reap_global_id(0);
    reduced[i] = reap_group_reduce(maximum, wchar_t, letters[i]);
    scanned[i] = reap_group_inclusive_scan(minimum, wchar_t, letters[i]);
    reap_barrier(REAP_GLOBAL_SPACE);
    reap_atomic_fetch_max(&letters[0], letters[i]);
}
