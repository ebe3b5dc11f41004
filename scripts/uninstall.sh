#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Removes what install.sh installed under PREFIX (below $DESTDIR, where that is set), by the list
# that it left there, and nothing else: a directory with other files stays.
#
# Usage: uninstall.sh PREFIX
set -euo pipefail

prefix=${1:?usage: uninstall.sh PREFIX}
case $prefix in
/*) ;;
*) prefix=$PWD/$prefix ;;
esac
target=${DESTDIR:-}$prefix
list=$target/share/reap/installed.txt
if [ ! -f "$list" ]; then
    echo "uninstall: no Reap in $target that 'make install' put there ($list is missing)" >&2
    exit 1
fi
if grep -qE '^/.|(^|/)\.\.(/|$)' "$list"; then
    echo "uninstall: $list names paths outside $target; nothing was removed" >&2
    exit 1
fi

# The list is in reverse order: what a directory holds comes before it.
mapfile -t paths <"$list"
for path in "${paths[@]}"; do
    case $path in
    */) ;;
    *) printf '%s\0' "$target/$path" ;;
    esac
done | xargs -0 rm -f
for path in "${paths[@]}"; do
    case $path in
    */) [ ! -d "$target/$path" ] || rmdir --ignore-fail-on-non-empty "$target/$path" ;;
    esac
done
if [ -z "${DESTDIR:-}" ] && [ "$(id -u)" = 0 ] && command -v ldconfig >/dev/null; then
    ldconfig
fi
echo "removed Reap from $target"
