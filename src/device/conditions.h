/* SPDX-License-Identifier: Apache-2.0
 *
 * The expressions of #if and #elif.
 */
#ifndef REAP_DEVICE_CONDITIONS_H
#define REAP_DEVICE_CONDITIONS_H

#include "src/device/macros.h"

/* What it comes to, as far as it is made of defined, plain numbers, !, && and ||. */
enum reap__answer reap__condition_evaluate(const struct reap__macros *macros, char *expression,
                                           const char *text);

/* Tells `macros` the names that it asks for and, where the expression is evaluated in a user's
 * file, those that it uses. */
void reap__condition_note(struct reap__macros *macros, char *expression,
                          const struct reap__origin *origin, bool is_evaluated);

#endif
