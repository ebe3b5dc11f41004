/* SPDX-License-Identifier: Apache-2.0
 *
 * That the header compiles alone, and twice.
 */
#include <reap/mpi.h>
#include <reap/mpi.h> /* the guard */

extern int declaration;
