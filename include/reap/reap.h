/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * All functions that a program calls: includes every public header except the kernel dialect.
 *
 * Kernel files include <reap/kernel.h> instead.
 */
#ifndef REAP_REAP_H
#define REAP_REAP_H

#include <reap/api.h>
#include <reap/buffer.h>
#include <reap/compile.h>
#include <reap/device.h>
#include <reap/event.h>
#include <reap/launch.h>
#include <reap/native.h>
#include <reap/part.h>
#include <reap/queue.h>
#include <reap/range.h>
#include <reap/status.h>
#include <reap/usm.h>
#include <reap/version.h>

#endif
