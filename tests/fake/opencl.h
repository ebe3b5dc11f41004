/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the fake libOpenCL know of each other.
 */
#ifndef TESTS_FAKE_OPENCL_H
#define TESTS_FAKE_OPENCL_H

#include "src/opencl/api.h"
#include "tests/fake/work.h"

#define FAKE__PROTOTYPE(name, result, parameters) result name parameters;
REAP__OPENCL_FUNCTIONS(FAKE__PROTOTYPE)

/* fake_begin, with OpenCL's error. */
int32_t fake_opencl_begin(const char *name, enum fake_call call);

/* A misuse where the handles and values of a call are not right. */
void fake_opencl_check(bool are_right);

size_t fake_opencl_stream(cl_command_queue of);
bool fake_opencl_is_queue(cl_command_queue what);
bool fake_opencl_is_device(cl_context in, cl_device_id on);

#endif
