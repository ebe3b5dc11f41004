/* SPDX-License-Identifier: Apache-2.0
 *
 * The value of an #if expression, as section 6.10.1 of C11 has it: in intmax_t and uintmax_t. A
 * name that compilers or the program may define, and whatever differs between devices, has no value
 * that is known here. A caller that must see all code reads the text once for each combination of
 * the values that such conditions may have.
 */
#ifndef REAP_ACCELERATOR_PREPROCESS_CONDITIONS_H
#define REAP_ACCELERATOR_PREPROCESS_CONDITIONS_H

#include "src/accelerator/driver.h"
#include "src/accelerator/preprocess/expand.h"
#include "src/accelerator/string_builder.h"

#include <stdbool.h>
#include <stddef.h>

/* A condition's tokens, with macros expanded. Words in it are not defined in the text, except one
 * after `defined`, which is without parentheses. */
struct reap__condition {
    const char *characters;
    const struct reap__token *at, *end;
    struct reap__choices *choices; /* NULL: what is not known is false */
    struct reap__string *asked;    /* names and constants without a known value are appended */
    bool is_certain;               /* set: the value does not depend on what is not known here */
};

bool reap__condition_is_true(struct reap__condition *condition);

#endif
