/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Devices, on which kernels run (SYCL 2020, section 4.6.4).
 *
 * The list of devices is made at first use and does not change until the program ends. Devices are
 * never released. Vendors' drivers are loaded when the list is made, or when REAP_DEVICE names one
 * of their devices. Any thread may call the functions of this header.
 *
 * Environment variables, read once, at first use ([devices](docs/devices.md) has the details):
 *
 * @code{.unparsed}
 * REAP_DEVICE       the name of the default device, such as "host" or "opencl:0"
 * REAP_BACKENDS     the backends to use, such as "host,opencl"; others are hidden
 * REAP_NUM_THREADS  how many threads a launch on the host may use
 * REAP_HOST_ISA     the instruction set of kernels on the host
 * REAP_CHECK        1: commands are checked, on every device
 * @endcode
 *
 * With REAP_CHECK=1 a command fails if
 * - a work-item accesses an element outside a buffer or an allocation, or
 * - it accesses a buffer that the program has accessed outside a host access.
 *
 * On the host work-items and groups then run in another order, and uses of uninitialised local
 * memory are detected. Each command copies whole buffers, and a command for another device runs on
 * the host first. [Checking](docs/checking.md) explains the checks.
 */
#ifndef REAP_DEVICE_H
#define REAP_DEVICE_H

#include <reap/api.h>
#include <reap/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A device: the host, or one that a driver offers. It never changes. */
typedef struct reap_device reap_device;

/** The properties of a device. The strings are valid until the program ends. */
typedef struct reap_device_info {
    const char *name; /**< for REAP_DEVICE: "host", "opencl:0", "cuda:0"; of a combined device,
                       * "cuda:0+cuda:1", and with given speeds "cuda:0*20+host*1" */
    const char *description;     /**< the hardware's own name */
    const char *backend;         /**< what drives it: "host", "opencl", "cuda", "combined" */
    const char *instruction_set; /**< that kernels use: "x86-64-v4", "sm_90"; "" if unknown */
    const char *limits;   /**< a sentence: what it lacks, or rounds differently; "" if nothing */
    size_t compute_units; /**< multiprocessors; on the host the threads that a launch may use */
    uint64_t global_memory_bytes; /**< the device's memory; on the host the machine's; 0: unknown */
    size_t local_memory_bytes;    /**< for each work-group; group algorithms and reductions need
                                   * some of it ([groups](docs/groups.md#what-a-launch-refuses)) */
    size_t max_work_group_size;   /**< work-items of a work-group, in all dimensions together */
    uint64_t reserved[8];         /**< for members of later versions; 0 */
} reap_device_info;

/** What a device is or can do (SYCL 2020, section 4.6.4.3). The values do not change between
 * versions. */
typedef enum reap_aspect {
    REAP_ASPECT_CPU = 0,                   /**< it is this machine's processor */
    REAP_ASPECT_GPU = 1,                   /**< it is a graphics processor */
    REAP_ASPECT_FP64 = 2,                  /**< kernels can use `double` */
    REAP_ASPECT_ATOMIC64 = 3,              /**< kernels can use atomics of 64 bits */
    REAP_ASPECT_FP32_DENORMALS = 4,        /**< denormal floats are not flushed to zero */
    REAP_ASPECT_FP32_CORRECT_DIVISION = 5, /**< float division and square root are correctly
                                            * rounded; without it and the aspect before, results
                                            * may differ from other devices' */
} reap_aspect;

/** Lists all devices, in the order of `reap devices`.
 *
 * @param[out] devices  an array that belongs to the library and is valid until the program ends
 * @param[out] count    the number of its elements
 * @retval REAP_ERROR_NO_DEVICE         the environment hides every device or is malformed
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL */
REAP_API reap_status reap_device_list(const reap_device *const **devices, size_t *count);

/** Lists why kinds of devices are absent: a sentence that names the missing library or driver for
 * each backend without devices.
 *
 * A backend that REAP_BACKENDS hides has no sentence.
 *
 * @param[out] sentences  an array that belongs to the library and is valid until the program ends
 * @param[out] count      the number of its elements
 * @retval REAP_ERROR_NO_DEVICE         as for reap_device_list()
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL */
REAP_API reap_status reap_device_missing(const char *const **sentences, size_t *count);

/** The default device: the one that REAP_DEVICE names, else the host, else (if REAP_BACKENDS hides
 * the host) the first in the list.
 *
 * @param[out] device  the device
 * @retval REAP_ERROR_NO_DEVICE         it does not exist (the message lists those that do), or as
 *                                      for reap_device_list()
 * @retval REAP_ERROR_INVALID_ARGUMENT  `device` is NULL */
REAP_API reap_status reap_device_default(const reap_device **device);

/** Finds a device by name.
 *
 * Loads drivers only of devices up to the one of this name, so that "host" loads none.
 *
 * @param name         as in reap_device_info::name: "host", "opencl:0", "cuda:0"; also that of a
 *                     combined device, with or without speeds (reap_device_combine())
 * @param[out] device  the device
 * @retval REAP_ERROR_NO_DEVICE         it does not exist (the message lists those that do), or as
 *                                      for reap_device_list()
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL */
REAP_API reap_status reap_device_find(const char *name, const reap_device **device);

/** Combines devices to one, among which launches are divided.
 *
 * The combined device is used as any other: a queue is made on it, and kernels are launched on the
 * queue. It is also found by its name, in REAP_DEVICE, too: "cuda:0+cuda:1" has measured speeds,
 * "cuda:0*20+host" those that are given, where 1 is the default. A speed is a decimal number, such
 * as 20, 0.75 or 2e-3, in every locale. Each device runs a contiguous share of a launch's
 * work-items. Results have the bits of one device.
 *
 * - Arrays are in buffers, or in memory of the program where the host is the only device. An array
 *   that is read is copied to each device as a whole, unless `.launch.divided` names it: then each
 *   device has the elements of its work-items.
 * - Work-groups stay together. In an nd_range of two or three dimensions `.launch.divided` has no
 *   effect, since a group's items have no consecutive numbers.
 * - These launches are not divided, and run on one of the devices, the fastest: array reductions
 *   whose values are combined in an order; arrays that are written and not divided; a written array
 *   in the same buffer as an array that is not divided, or with elements between those of another
 *   array; reductions of types of up to 64 bytes and of larger ones, unless the host has the last
 *   items or they are a multiple of 2048; arrays in a device's own memory (on that device); without
 *   given speeds also what takes less than 60 microseconds on one device, or is predicted to take
 *   about as long on one.
 * - Shared memory that migrates (reap_malloc_shared() where the device does not reach the host's
 *   memory) is refused.
 * - reap_malloc_device() and its like for the combined device return memory of the host, if the
 *   host is one of the devices; launches that use it run there. Without the host they fail: use
 *   buffers.
 * - A launch on a combined device has completed when it returns, as on the host.
 *
 * Devices are measured for each kernel: later launches of the kernel have shares in proportion to
 * the devices' speeds, if that saves a tenth of the time.
 *
 * @param devices        the devices, all different; the first has the first work-items
 * @param speeds         the shares, in any unit: 0 for no share; NULL: they are measured
 * @param count          how many, 1 to 16
 * @param[out] combined  the device, which exists until the program ends; the same one each time
 *                       for the same devices and speeds
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL, `count` is out of range, a device is
 * given twice or is a combined one, a speed is negative or not finite, or all are 0
 * @retval REAP_ERROR_OUT_OF_MEMORY     memory ran out
 * @note Any thread may call it. */
REAP_API reap_status reap_device_combine(const reap_device *const *devices, const double *speeds,
                                         size_t count, const reap_device **combined);

/** Returns whether a device has an aspect.
 *
 * @param device  the device, or NULL
 * @param aspect  the aspect
 * @return true if it has the aspect; false for NULL and for an unknown aspect
 * @note Any thread may call it. */
REAP_API bool reap_device_has(const reap_device *device, reap_aspect aspect);

/** Returns the properties of a device.
 *
 * @param device     the device
 * @param[out] info  its properties
 * @retval REAP_ERROR_INVALID_ARGUMENT  a pointer is NULL */
REAP_API reap_status reap_device_get_info(const reap_device *device, reap_device_info *info);

#endif
