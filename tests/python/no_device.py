# SPDX-License-Identifier: Apache-2.0
"""Prints the status of a sum on a device that does not exist."""

import array

import reap

try:
    reap.sum(array.array("d", [1.0]))
except reap.Error as error:
    assert isinstance(error, RuntimeError) and "cuda:99" in str(error), error
    print(error.status)
