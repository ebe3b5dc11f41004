#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A kernel of one's own, built with Meson, which finds Reap through pkg-config.
source "$(dirname "$0")/support.sh"
require meson "the use of an installed Reap with Meson"
require pkg-config "the use of an installed Reap with Meson"
cp -r "$SOURCE/tests/install/program" "a project"

CC=$CC meson setup build "a project" >log 2>&1 || fail "Meson does not find Reap: $(cat log)"
meson compile -C build >log 2>&1 || fail "it does not build: $(cat log)"
for program in program program_static program_mapped; do
    prints "$VERSION 99990000" "build/$program"
    grep -q 'REAP_KERNEL(dot' "build/$program" || fail "the kernel's text is not in $program"
done
prints "$VERSION 5" build/norm_static
for program in program_static norm_static; do
    ! readelf -d build/$program | grep -q libreap || fail "$program needs a library of Reap's"
done
