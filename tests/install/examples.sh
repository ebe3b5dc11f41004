#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every example builds from the installed Reap without a warning, and finds its result right. The
# tutorial shows its programs as they are.
source "$(dirname "$0")/support.sh"
require pkg-config "the examples"
cp -r "$SOURCE/examples" "the examples"
make -C "the examples" CC="$CC" BUILD=built \
    CFLAGS="-std=c11 -O2 -Wall -Wextra -Wpedantic -Werror" run

awk '/`[^`]*`:$/ { name = $0; sub(/`:$/, "", name); sub(/.*`/, "", name) }
    /^```c$/ { inside = name != ""; next }
    /^```/ { inside = 0; name = "" }
    inside { print >name }' "$SOURCE/docs/tutorial.md"
for file in "$SOURCE"/examples/tutorial/[0-9]*; do
    diff "$(basename "$file")" <(grep -v '^/\* SPDX' "$file") ||
        fail "the tutorial does not show ${file##*/} as it is"
done
