/* SPDX-License-Identifier: Apache-2.0
 *
 * The expressions of #if and #elif.
 */
#ifndef REAP_ACCELERATOR_PREPROCESS_CONDITIONS_H
#define REAP_ACCELERATOR_PREPROCESS_CONDITIONS_H

#include "src/accelerator/preprocess/macros.h"

/* What it comes to, as far as it is made of defined, plain numbers, !, && and ||. */
enum reap__answer reap__condition_evaluate(const struct reap__macros *macros, char *expression,
                                           const char *text);

/* Tells `macros` that a condition in a user's file uses this name, unless every compiler knows it
 * or may define it by itself. */
void reap__condition_note_name(struct reap__macros *macros, const char *name, size_t length,
                               const struct reap__origin *origin);

/* The same for all names of an expression that is evaluated. */
void reap__condition_note(struct reap__macros *macros, char *expression,
                          const struct reap__origin *origin);

#endif
