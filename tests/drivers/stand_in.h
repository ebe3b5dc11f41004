/* SPDX-License-Identifier: Apache-2.0
 *
 * Does in C what a device would do in the launches of program.kernels.h, on the fake drivers.
 */
#ifndef TESTS_DRIVERS_STAND_IN_H
#define TESTS_DRIVERS_STAND_IN_H

#include <reap/device.h>

/* From now on launches of this device, the only one, are the stand-in's. */
void stand_in_for(const reap_device *of);

/* From now on its launches take so many bytes of parameters. */
void stand_in_limit(size_t parameter_bytes);

/* How many of CUDA's events the library keeps for further commands. */
long stand_in_idle_events(void);

#endif
