#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The README's example, to the letter: its blocks of C are saved under the names that stand above
# them, its `cc` line is run, and the program prints what the README says, on every device.
source "$(dirname "$0")/support.sh"
require pkg-config "the README's example"
require cc "the README's example"

# A block of code follows a line that ends in its file's name in backquotes and a colon.
awk '/`[^`]*`:$/ { name = $0; sub(/`:$/, "", name); sub(/.*`/, "", name) }
    /^```c$/ { inside = 1; next }
    /^```/ { inside = 0 }
    inside && name != "" { print >name }' "$SOURCE/README.md"
for file in 01_sum_and_max.c 01_sum_and_max.kernels.h; do
    [ -f "$file" ] || fail "the README does not show $file"
    diff "$file" <(grep -v '^/\* SPDX' "$SOURCE/examples/$file") ||
        fail "the README does not show examples/$file as it is"
done

command=$(sed -n 's/^\$ \(cc .*\)$/\1/p' "$SOURCE/README.md")
[ -n "$command" ] || fail "the README has no cc line"
# The prefix has spaces here, which only eval takes right.
eval "${command//\$(pkg-config --cflags --libs reap)/$(pkg-config --cflags --libs reap)}"
program=$(sed -n 's/^\$ \(\.\/.*\)$/\1/p' "$SOURCE/README.md")
printed=$(sed -n '/^\$ \.\//{n;p}' "$SOURCE/README.md")
prints "$printed" "$program"
for device in $("$PREFIX/bin/reap" devices --names); do
    REAP_DEVICE=$device prints "$printed" "$program"
done
