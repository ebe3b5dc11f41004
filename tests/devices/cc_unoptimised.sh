#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The C compiler for `reap compile` where only devices are compiled for: the tool reads the kernels
# of the object, and optimising their code for the host takes most of the time.
exec cc "$@" -O0
