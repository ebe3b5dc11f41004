#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The program of a page of docs/, to the letter: its blocks of C are saved under the names that
# stand above them, its `cc` line is run, and the program prints what the page says, on every
# device.
#
# Usage: page.sh NAME
source "$(dirname "$0")/support.sh"
page=$SOURCE/docs/$1.md
require pkg-config "the program of docs/$1.md"
require cc "the program of docs/$1.md"

awk '/`[^`]*`:$/ { name = $0; sub(/`:$/, "", name); sub(/.*`/, "", name) }
    /^```c$/ { inside = 1; next }
    /^```/ { inside = 0 }
    inside { print >name }' "$page"
command=$(sed -n 's/^\$ \(cc .*\)$/\1/p' "$page")
[ -n "$command" ] || fail "docs/$1.md has no cc line"
# The prefix has spaces here, which only eval takes right.
strict="-std=c11 -Wall -Wextra -Wpedantic -Werror"
eval "${command//\$(pkg-config --cflags --libs reap)/$strict $(pkg-config --cflags --libs reap)}"
program=$(sed -n 's/^\$ \(\.\/.*\)$/\1/p' "$page")
printed=$(sed -n '/^\$ \.\//,/^```$/{/^\$/d;/^```$/d;p}' "$page")
prints "$printed" "$program"
for device in $("$PREFIX/bin/reap" devices --names); do
    REAP_DEVICE=$device prints "$printed" "$program"
done
