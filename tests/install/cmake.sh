#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A kernel of one's own, built with CMake's find_package: Reap::reap, Reap::shared, Reap::static,
# reap_embed_by_name under -ffile-prefix-map; a newer Reap than there is, which is not found; and
# add_subdirectory.
source "$(dirname "$0")/support.sh"
cp -r "$SOURCE/tests/install/program" "a project"

configure() {
    cmake -S "a project" -B build -DCMAKE_C_COMPILER="$CC" -DCMAKE_PREFIX_PATH="$PREFIX" \
        "$@" >log 2>&1
}
configure -DCMAKE_C_FLAGS="-Wall -Wextra -Werror" || fail "CMake does not find Reap: $(cat log)"
cmake --build build >log 2>&1 || fail "it does not build: $(cat log)"
unset LD_LIBRARY_PATH
for program in program program_shared program_static program_mapped; do
    prints "$VERSION 99990000" "build/$program"
    grep -q 'REAP_KERNEL(dot' "build/$program" || fail "the kernel's text is not in $program"
done
! readelf -d build/program_static | grep -q libreap || fail "program_static needs libreap.so"
readelf -d build/program | grep -q libreap.so || fail "Reap::reap is not the shared library"

sed -i 's/find_package(Reap 0.1/find_package(Reap 0.999/' "a project/CMakeLists.txt"
! configure || fail "a Reap 0.999 is found"

# As a part of another project Reap leaves the build type to that one.
mkdir outer
cat >outer/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.21)
project(outer LANGUAGES C)
add_subdirectory("$SOURCE" reap)
message(STATUS "the build type is '\${CMAKE_BUILD_TYPE}'")
END
cmake -S outer -B outer/build -DCMAKE_C_COMPILER="$CC" >log 2>&1 ||
    fail "Reap cannot be a part of another project: $(cat log)"
grep -q "the build type is ''" log || fail "as a part of another project Reap sets the build type"
