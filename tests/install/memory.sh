#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The program of docs/memory.md, to the letter: its blocks of C are saved under the names that stand
# above them, its `cc` line is run, and the program prints what the page says.
source "$(dirname "$0")/support.sh"
require pkg-config "the program of docs/memory.md"
require cc "the program of docs/memory.md"

page=$SOURCE/docs/memory.md
awk '/`[^`]*`:$/ { name = $0; sub(/`:$/, "", name); sub(/.*`/, "", name) }
    /^```c$/ { inside = 1; next }
    /^```/ { inside = 0 }
    inside { print >name }' "$page"
command=$(sed -n 's/^\$ \(cc .*\)$/\1/p' "$page")
[ -n "$command" ] || fail "docs/memory.md has no cc line"
# The prefix has spaces here, which only eval takes right.
strict="-std=c11 -Wall -Wextra -Wpedantic -Werror"
eval "${command//\$(pkg-config --cflags --libs reap)/$strict $(pkg-config --cflags --libs reap)}"
program=$(sed -n 's/^\$ \(\.\/.*\)$/\1/p' "$page")
printed=$(sed -n '/^\$ \.\//{n;p}' "$page")
prints "$printed" "$program"
for device in $("$PREFIX/bin/reap" devices --names); do
    REAP_DEVICE=$device prints "$printed" "$program"
done
