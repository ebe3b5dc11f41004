/* SPDX-License-Identifier: Apache-2.0
 *
 * The operators of user.kernels.h and words.kernels_tmpl.h once more, for the reference: retyped,
 * and including nothing of the library.
 */
#ifndef TESTS_CONFORMANCE_REFERENCE_USER_H
#define TESTS_CONFORMANCE_REFERENCE_USER_H

#include "tests/conformance/reference.h"

#include <stdint.h>

struct user_moments {
    uint64_t count;
    double mean, deviations;
};

struct user_affine {
    double scale, offset;
};

struct user_compensated {
    double sum, error;
};

struct user_rotation {
    float real, imaginary;
};

struct user_extent {
    float least, most;
    uint32_t count;
};

enum reference_user {
    REFERENCE_MOMENTS,
    REFERENCE_AFFINE,
    REFERENCE_COMPENSATED,
    REFERENCE_ROTATION,
    REFERENCE_EXTENT,
    REFERENCE_AVERAGE, /* of floats; not associative, no identity */
    REFERENCE_LAST,    /* of uint32_t; the right one, no identity */
    REFERENCE_USER_OPERATORS
};

extern const struct reference_operator reference_user[REFERENCE_USER_OPERATORS];

/* Operators on types of any size, made of 16-bit words. Neither is associative or commutative;
 * the second has an identity, though not a neutral one. */
void reference_mix_words(void *left, const void *right, size_t bytes);
void reference_blend_words(void *left, const void *right, size_t bytes);

/* The first word of the second's identity; the others are 0. */
enum { REFERENCE_BLEND_IDENTITY = 0x5a3c };

#endif
