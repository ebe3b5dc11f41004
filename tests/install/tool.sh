#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The tool as a program of its own: built on the installed Reap alone, it describes as the installed
# tool does, and finds its readers, and the headers for `reap compile`.
source "$(dirname "$0")/support.sh"
mkdir program
cp -r "$SOURCE/tools" program/ # without the library's sources beside it
cmake -S program/tools -B build -DCMAKE_C_COMPILER="$CC" -DCMAKE_PREFIX_PATH="$PREFIX" \
    -DCMAKE_INSTALL_PREFIX="$work/place" >log 2>&1 || fail "CMake does not configure it: $(cat log)"
cmake --build build --parallel 2 >log 2>&1 || fail "it does not build: $(tail -n 20 log)"
data=$SOURCE/data/sea_temperatures.npy
prints "$("$PREFIX/bin/reap" describe "$data")" build/bin/reap describe "$data"
cp "$SOURCE/tests/install/program/program.kernels.h" .
prints "$("$PREFIX/bin/reap" compile --target host program.kernels.h)" \
    build/bin/reap compile --target host program.kernels.h
cmake --install build >log 2>&1 || fail "it cannot be installed: $(cat log)"
prints "$("$PREFIX/bin/reap" describe "$data")" place/bin/reap describe "$data"
