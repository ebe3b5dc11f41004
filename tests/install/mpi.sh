#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A program of ranks, built with CMake's find_package(Reap COMPONENTS mpi) with the shared and the
# static library, and by one line with the flags of pkg-config.
source "$(dirname "$0")/support.sh"
[ -e "$PREFIX/lib/libreap_mpi.so" ] || skip "programs of ranks: libreap_mpi was not built"
require mpirun "programs of ranks"
require pkg-config "programs of ranks"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 REAP_NUM_THREADS=1

check() { # check PROGRAM
    mpirun -n 2 "$1" >printed 2>errors </dev/null || fail "$1: exit status $?: $(head -3 errors)"
    grep -q '^2 ranks: sums .* the same bits as in one launch$' printed ||
        fail "$1 prints '$(<printed)'"
}

# The tool finds its library for MPI.
if [ -e "$PREFIX/bin/reap" ]; then
    "$PREFIX/bin/reap" describe "$SOURCE/data/sea_temperatures.npy" >alone
    mpirun -n 2 "$PREFIX/bin/reap" describe "$SOURCE/data/sea_temperatures.npy" >together </dev/null
    cmp alone together || fail "two ranks of the tool print something else than one process"
fi

cp "$SOURCE"/examples/09_ranks.* .
eval "$(printf '%q' "$CC") -std=c11 -O2 -Wall -Wextra -Wpedantic -Werror 09_ranks.c \
    $(pkg-config --cflags --libs reap_mpi) -o ranks"
check ./ranks

cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.16)
project(ranks LANGUAGES C)
find_package(Reap 0.1 REQUIRED COMPONENTS mpi)
add_executable(shared 09_ranks.c)
target_link_libraries(shared PRIVATE Reap::mpi)
add_executable(static 09_ranks.c)
target_link_libraries(static PRIVATE Reap::mpi_static)
END
cmake -S . -B build -DCMAKE_C_COMPILER="$CC" -DCMAKE_PREFIX_PATH="$PREFIX" >log 2>&1 ||
    fail "CMake does not find Reap with MPI: $(cat log)"
cmake --build build >log 2>&1 || fail "it does not build: $(cat log)"
unset LD_LIBRARY_PATH
check build/shared
check build/static
! readelf -d build/static | grep -q libreap || fail "the static program needs a library of Reap's"
sed -i 's/COMPONENTS mpi/COMPONENTS nothing/' CMakeLists.txt
! cmake -S . -B other -DCMAKE_C_COMPILER="$CC" -DCMAKE_PREFIX_PATH="$PREFIX" >log 2>&1 ||
    fail "a component that does not exist is found"
