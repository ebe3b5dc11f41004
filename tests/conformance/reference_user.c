/* SPDX-License-Identifier: Apache-2.0
 *
 * See reference_user.h.
 */
#include "tests/conformance/reference_user.h"

#include <math.h>

/* Chan, Golub and LeVeque's merge of two sets' counts, means and sums of squared deviations. */
static void moments(void *left, const void *right, size_t bytes)
{
    struct user_moments *a = left;
    const struct user_moments *b = right;
    (void)bytes;
    if (b->count == 0)
        return;
    if (a->count == 0) {
        *a = *b;
        return;
    }
    const double all = (double)a->count + (double)b->count, between = b->mean - a->mean;
    const double share = (double)b->count / all, product = between * between;
    const double moved = between * share, weighted = product * (double)a->count;
    const double within = a->deviations + b->deviations, added = weighted * share;
    a->count += b->count;
    a->mean = a->mean + moved;
    a->deviations = within + added;
}

/* The composition of x -> scale * x + offset. */
static void affine(void *left, const void *right, size_t bytes)
{
    struct user_affine *a = left;
    const struct user_affine *b = right;
    (void)bytes;
    const double scaled = a->scale * b->offset;
    a->offset = scaled + a->offset;
    a->scale = a->scale * b->scale;
}

/* Knuth's two-sum, with the errors beside it. */
static void compensated(void *left, const void *right, size_t bytes)
{
    struct user_compensated *a = left;
    const struct user_compensated *b = right;
    (void)bytes;
    const double sum = a->sum + b->sum, part = sum - a->sum, rest = sum - part;
    const double lost = (a->sum - rest) + (b->sum - part);
    a->error = (a->error + b->error) + lost;
    a->sum = sum;
}

/* The product of complex numbers; a contracted one has other bits. */
static void rotation(void *left, const void *right, size_t bytes)
{
    struct user_rotation *a = left;
    const struct user_rotation *b = right;
    (void)bytes;
    const float rr = a->real * b->real, ii = a->imaginary * b->imaginary;
    const float ri = a->real * b->imaginary, ir = a->imaginary * b->real;
    a->real = rr - ii;
    a->imaginary = ri + ir;
}

static void extent(void *left, const void *right, size_t bytes)
{
    struct user_extent *a = left;
    const struct user_extent *b = right;
    (void)bytes;
    if (b->least < a->least)
        a->least = b->least;
    if (b->most > a->most)
        a->most = b->most;
    a->count += b->count;
}

static void average(void *left, const void *right, size_t bytes)
{
    float *a = left;
    const float *b = right;
    (void)bytes;
    const float sum = *a + *b;
    *a = sum * 0.5f;
}

static void last(void *left, const void *right, size_t bytes)
{
    uint32_t *a = left;
    const uint32_t *b = right;
    (void)bytes;
    *a = *b;
}

static const struct user_moments no_moments = {0, 0, 0};
static const struct user_compensated no_sum = {0, 0};
static const struct user_rotation no_rotation = {1, 0};
static const struct user_extent no_extent = {INFINITY, -INFINITY, 0};

const struct reference_operator reference_user[REFERENCE_USER_OPERATORS] = {
    [REFERENCE_MOMENTS] = {"moments", sizeof no_moments, moments, &no_moments, NULL, NULL},
    [REFERENCE_AFFINE] = {"affine", sizeof(struct user_affine), affine, NULL, NULL, NULL},
    [REFERENCE_COMPENSATED] = {"compensated", sizeof no_sum, compensated, &no_sum, NULL, NULL},
    [REFERENCE_ROTATION] = {"rotation", sizeof no_rotation, rotation, &no_rotation, NULL, NULL},
    [REFERENCE_EXTENT] = {"extent", sizeof no_extent, extent, &no_extent, NULL, NULL},
    [REFERENCE_AVERAGE] = {"average", sizeof(float), average, NULL, NULL, NULL},
    [REFERENCE_LAST] = {"last", sizeof(uint32_t), last, NULL, NULL, NULL},
};

void reference_mix_words(void *left, const void *right, size_t bytes)
{
    uint16_t *a = left;
    const uint16_t *b = right;
    const size_t words = bytes / sizeof *a;
    for (size_t k = 0; k < words; k++) {
        const unsigned rotated = (unsigned)a[k] << 5 | (unsigned)a[k] >> 11;
        a[k] = (uint16_t)(rotated * 40503u + (b[k] ^ b[(k + 1) % words]));
    }
}

void reference_blend_words(void *left, const void *right, size_t bytes)
{
    uint16_t *a = left;
    const uint16_t *b = right;
    for (size_t k = 0; k < bytes / sizeof *a; k++)
        a[k] = (uint16_t)(31u * a[k] + b[k]);
}
