/* SPDX-License-Identifier: Apache-2.0
 *
 * Does in C what a device would do in the launches of program.kernels.h, on the fake drivers.
 */
#ifndef TESTS_DRIVERS_STAND_IN_H
#define TESTS_DRIVERS_STAND_IN_H

#include <reap/device.h>

/* From now on launches of this device, the only one, are the stand-in's. */
void stand_in_for(const reap_device *of);

/* How many of CUDA's events the library keeps for further commands. */
long stand_in_idle_events(void);

#endif
