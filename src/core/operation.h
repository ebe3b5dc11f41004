/* SPDX-License-Identifier: Apache-2.0
 *
 * The built-in operators as functions of untyped operands.
 */
#ifndef REAP_CORE_OPERATION_H
#define REAP_CORE_OPERATION_H

#include <reap/host/code.h>
#include <stdbool.h>

/* *into = op(*into, *from) */
typedef void (*reap__operation_function)(void *into, const void *from);

/* NULL where the operator does not take the type. */
reap__operation_function reap__operation(enum reap__operation operation, enum reap__type type);

/* Whether the reduction's operator has an identity of its own; and writes it, with its location
 * where there is one. */
static inline bool reap__has_identity(const struct reap__reduction *reduction)
{
    return reduction->identity != NULL;
}
bool reap__identity_of(const struct reap__reduction *reduction, void *into);

#endif
