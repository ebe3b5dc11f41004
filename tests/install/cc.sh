#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A kernel of one's own, built by one line with the flags of pkg-config: shared, static, all
# static, and under -ffile-prefix-map; and a norm, shared and all static.
source "$(dirname "$0")/support.sh"
require pkg-config "the build by one line with pkg-config"
cp -r "$SOURCE/tests/install/program/." .
strict="-std=c11 -O2 -Wall -Wextra -Wpedantic -Werror"

build() { # build OPTION...: as typed into a shell, which takes the quotes of pkg-config away
    eval "$(printf '%q' "$CC") $strict $* -o program"
    prints "$VERSION 99990000" ./program
    grep -q 'REAP_KERNEL(dot, in(double, a)' program || fail "the kernel's text is not in it"
}

build program.c "$(pkg-config --cflags --libs reap)"
readelf -d program | grep -q "libreap.so.${VERSION%%.*}" || fail "the program is not linked to it"
archive="$(pkg-config --variable=libdir reap)/libreap.a"
build program.c "$(pkg-config --cflags reap) $archive -pthread"
! readelf -d program | grep -q libreap || fail "the program needs the shared library"
build -static -Wl,--fatal-warnings program.c "$(pkg-config --static --cflags --libs reap)"

for static in "" -static; do
    eval "$(printf '%q' "$CC") $strict $static norm.c \
        $(pkg-config ${static/#-/--} --cflags --libs reap_algorithms) -o norm"
    prints "$VERSION 5" ./norm
done

mapped="-ffile-prefix-map='$work'=/nowhere '$work/program.c' $(pkg-config --cflags --libs reap)"
! eval "$(printf '%q' "$CC") $mapped -o program" 2>errors || fail "the map is not what is tested"
grep -q '/nowhere/program.kernels.h' errors || fail "it fails for another reason: $(cat errors)"
build -DREAP_EMBED_BY_NAME "-Wa,-I,'$work'" "$mapped"
