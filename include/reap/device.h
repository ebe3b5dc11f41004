/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices run kernels (SYCL 2020, section 4.6.4). The list of them is made at its first use and
 * stays the same until the program ends; devices are never released. Every function here may be
 * called from any thread.
 *
 * Vendors' drivers are loaded when the list is made, or when REAP_DEVICE names a device of theirs.
 *
 * These variables of the environment are read once, at first use (docs/devices.md has more):
 *
 *     REAP_DEVICE       the name of the default device, such as "host" or "opencl:0"
 *     REAP_BACKENDS     the backends to use, such as "host,opencl"; others are hidden
 *     REAP_NUM_THREADS  how many threads a launch on the host may use
 *     REAP_HOST_ISA     the instruction set of kernels on the host
 *     REAP_CHECK        1: commands are checked, on every device
 *
 * With REAP_CHECK=1 a command fails whose work-items use an element outside of a buffer or an
 * allocation, and so does one that uses a buffer which the program has used outside of a host
 * access. On the host work-items and groups run in another order, and local memory is watched. It
 * takes copies of whole buffers for each command; on a device, the host runs each command first.
 * docs/checking.md says what is found how.
 */
#ifndef REAP_DEVICE_H
#define REAP_DEVICE_H

#include <reap/api.h>
#include <reap/status.h>
#include <stddef.h>
#include <stdint.h>

/* A device: the host, or one that a driver offers. It never changes. */
typedef struct reap_device reap_device;

/* What a device is. The strings live for ever. */
typedef struct reap_device_info {
    const char *name;            /* for REAP_DEVICE: "host", "opencl:0", "cuda:0" */
    const char *description;     /* the hardware, as it calls itself */
    const char *backend;         /* which part of Reap drives it: "host", "opencl", "cuda" */
    const char *instruction_set; /* the one that kernels use: "x86-64-v4", "sm_90"; "" if unknown */
    const char *limits;   /* what it lacks, or rounds otherwise, as a sentence; "": nothing */
    size_t compute_units; /* on the host how many threads a launch may use; multiprocessors */
    uint64_t global_memory_bytes; /* the device's; the machine's on the host; 0: unknown */
    size_t local_memory_bytes;    /* of a work-group */
    size_t max_work_group_size;   /* work-items of a work-group, of all dimensions together */
} reap_device_info;

/* All devices, in the order that `reap devices` shows. The array belongs to the library and lives
 * for ever. Fails with NO_DEVICE when the environment hides every device or is malformed, and with
 * INVALID_ARGUMENT when either pointer is NULL. */
REAP_API reap_status reap_device_list(const reap_device *const **devices, size_t *count);

/* A sentence for each kind of device of which there is none: which library or driver is missing.
 * Kinds that REAP_BACKENDS hides have none. The array belongs to the library and lives for ever.
 * Fails as reap_device_list does. */
REAP_API reap_status reap_device_missing(const char *const **sentences, size_t *count);

/* The device that REAP_DEVICE names, else the host; where REAP_BACKENDS hides that, the first that
 * there is. Fails with NO_DEVICE where it does not exist (the message lists the ones that do), and
 * as reap_device_list does. */
REAP_API reap_status reap_device_default(const reap_device **device);

/* Tells what a device is: fills *info, whose strings live for ever. Fails with INVALID_ARGUMENT
 * when either pointer is NULL. */
REAP_API reap_status reap_device_get_info(const reap_device *device, reap_device_info *info);

#endif
