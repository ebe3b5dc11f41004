/* SPDX-License-Identifier: Apache-2.0
 *
 * See reference_groups.h. Values are bytes; at(values, i) is the i-th.
 */
#include "tests/work_groups/reference_groups.h"

#include "tests/support/memory.h"

#include <string.h>

static unsigned char *at(const struct reference_operator *op, void *values, size_t i)
{
    return (unsigned char *)values + i * op->bytes;
}

static const unsigned char *at_const(const struct reference_operator *op, const void *values,
                                     size_t i)
{
    return (const unsigned char *)values + i * op->bytes;
}

static void settle(const struct reference_operator *op, void *values, size_t count)
{
    for (size_t i = 0; i < count && op->settle != NULL; i++)
        op->settle(at(op, values, i));
}

static void *copy(const struct reference_operator *op, const void *values, size_t count)
{
    void *copied = test_allocate(count * op->bytes);
    memcpy(copied, values, count * op->bytes);
    return copied;
}

/* Minimum and maximum of floating-point numbers ignore NaNs: v becomes op(identity, v). */
static void ignore_nans(const struct reference_operator *op, void *values, size_t size)
{
    for (size_t i = 0; i < size && reference_is_extreme(op); i++) {
        void *value = copy(op, op->identity, 1);
        op->combine(value, at(op, values, i), op->bytes);
        memcpy(at(op, values, i), value, op->bytes);
        free(value);
    }
}

/* Without settling a NaN. */
static void fold(const struct reference_operator *op, void *values, size_t size)
{
    size_t width = 1;
    ignore_nans(op, values, size);
    while (width < size)
        width *= 2;
    for (size_t h = width / 2; h >= 1; h /= 2)
        for (size_t i = 0; i < h; i++)
            if (i + h < size)
                op->combine(at(op, values, i), at(op, values, i + h), op->bytes);
}

/* v[i] = op(v[i - d], v[i]) for d = 1, 2, 4, ..., each step from what the one before has left. */
static void scan(const struct reference_operator *op, void *values, size_t size)
{
    ignore_nans(op, values, size);
    for (size_t d = 1; d < size; d *= 2) {
        void *before = copy(op, values, size);
        for (size_t i = d; i < size; i++) {
            memcpy(at(op, values, i), at(op, before, i - d), op->bytes);
            op->combine(at(op, values, i), at(op, before, i), op->bytes);
        }
        free(before);
    }
}

void reference_group_reduce(const struct reference_operator *op, const void *values, size_t size,
                            void *result)
{
    void *lanes = copy(op, values, size);
    fold(op, lanes, size);
    memcpy(result, lanes, op->bytes);
    settle(op, result, 1);
    free(lanes);
}

void reference_group_scan(const struct reference_operator *op, const void *values, size_t size,
                          bool is_exclusive, void *results)
{
    void *scanned = copy(op, values, size);
    scan(op, scanned, size);
    settle(op, scanned, size);
    if (is_exclusive) {
        memcpy(at(op, results, 0), op->identity, op->bytes);
        memcpy(at(op, results, 1), scanned, (size - 1) * op->bytes);
    } else {
        memcpy(results, scanned, size * op->bytes);
    }
    free(scanned);
}

void reference_joint_reduce(const struct reference_operator *op, const void *values, size_t count,
                            size_t size, void *result)
{
    void *lanes = test_allocate(size * op->bytes);
    for (size_t l = 0; l < size; l++) {
        memcpy(at(op, lanes, l), op->identity, op->bytes);
        for (size_t i = l; i < count; i += size)
            op->combine(at(op, lanes, l), at_const(op, values, i), op->bytes);
    }
    fold(op, lanes, size);
    memcpy(result, lanes, op->bytes);
    settle(op, result, 1);
    free(lanes);
}

/* One row, whose missing elements are the identity; `before` becomes what it is for the next. */
struct rows {
    size_t size;
    bool is_exclusive;
    void *before;
};

static void scan_row(const struct reference_operator *op, const struct rows *rows,
                     const void *values, size_t count, void *results)
{
    const size_t size = rows->size;
    void *before = rows->before;
    void *row = test_allocate(size * op->bytes), *scanned = test_allocate(size * op->bytes);
    for (size_t i = 0; i < size; i++)
        memcpy(at(op, row, i), i < count ? at_const(op, values, i) : op->identity, op->bytes);
    reference_group_scan(op, row, size, rows->is_exclusive, scanned);
    for (size_t i = 0; i < count && i < size; i++) {
        memcpy(at(op, results, i), before, op->bytes);
        op->combine(at(op, results, i), at(op, scanned, i), op->bytes);
    }
    reference_group_scan(op, row, size, false, scanned);
    op->combine(before, at(op, scanned, size - 1), op->bytes);
    free(row);
    free(scanned);
}

void reference_joint_scan(const struct reference_operator *op, const void *values, size_t count,
                          size_t size, bool is_exclusive, void *results)
{
    const struct rows rows = {size, is_exclusive, copy(op, op->identity, 1)};
    for (size_t i = 0; i < count; i += size)
        scan_row(op, &rows, at_const(op, values, i), count - i, at(op, results, i));
    settle(op, results, count);
    free(rows.before);
}
