/* SPDX-License-Identifier: Apache-2.0
 *
 * What OpenCL C or CUDA's C++ would read otherwise than C: spellings of `long long`, also in macros
 * and before a directive, NULL, values of structs by their tags, keywords
 * that C++ has for something else; and the constants of C's headers. A keyword of C++ that is a
 * macro of C's <stdalign.h>, in a file that does not include it.
 */
#include <limits.h>
#include <reap/kernel.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct counted {
    int id;
#define COUNT_TYPE unsigned long
    unsigned long first;
    COUNT_TYPE last;
    long volatile long spread;
    long long
#define LONGS long long
        widest;
};

#define SIGNED(x) x##LL
#define UNSIGNED(x) ((unsigned LONGS)x##ull)

enum { MEANINGS = 11 };

static struct counted count_up(int id)
{
    return reap_value(struct counted, id, 3, 4, SIGNED(5), 6);
}

static _Noreturn void stop(void)
{
    for (;;) {
    }
}

static int find_alignof(REAP_GLOBAL const int *id, int alignof)
{
    return *id + (alignof);
}

REAP_KERNEL(find_meanings, in(struct counted, x), value(struct counted, y), out(uint64_t, found))
{
    const size_t i = reap_global_id(0);
    const struct counted z = count_up((int)i);
    const int *const nothing = i > MEANINGS ? &z.id : NULL;
    found += i * MEANINGS;
    found[0] = x[i].first + x[i].last + (unsigned LONGS)x[i].widest;
    found[1] = y.first + y.last + (unsigned LONGS)y.widest;
    found[2] = z.first + z.last + (unsigned LONGS)z.widest + (unsigned)z.id;
    found[3] = (UNSIGNED(0xffffffffffffffff) * UNSIGNED(3)) >> 7;
    found[4] = sizeof(struct counted) + sizeof(SIGNED(1)) + sizeof(LONGS);
    found[5] = sizeof(NULL);
    found[6] = (uintptr_t)nothing == (uintptr_t)NULL && nothing == NULL;
    found[7] = (uint64_t)(x[i].spread + SIGNED(9223372036854775000));
    if (x[i].id < 0)
        stop();
    const int alignof = find_alignof(&x[i].id, 1);
    found[10] = (uint64_t)alignof + _Alignof(uint64_t);
    auto const int id = z.id;
    auto ptrdiff_t steps = PTRDIFF_MAX - id;
    found[8] = (uint64_t)SIG_ATOMIC_MAX + WINT_MAX + WINT_MIN + (WCHAR_MAX > WCHAR_MIN);
    found[9] = (uint64_t)steps + MB_LEN_MAX + (uint64_t)(SIG_ATOMIC_MIN / 3 + INT_MAX) + INTMAX_MAX;
}
