#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs what a build directory holds under PREFIX (below $DESTDIR, where that is set). The files
# and directories that it makes are listed in PREFIX/share/reap/installed.txt, a path a line,
# directories with a slash; uninstall.sh removes exactly these. Installed over an older Reap, the
# list keeps what that one had.
#
# Usage: install.sh BUILD PREFIX
set -euo pipefail

build=${1:?usage: install.sh BUILD PREFIX}
prefix=${2:?usage: install.sh BUILD PREFIX}
case $prefix in
/*) ;;
*) prefix=$PWD/$prefix ;;
esac
target=${DESTDIR:-}$prefix
list=share/reap/installed.txt

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
DESTDIR=$stage/root cmake --install "$build" --prefix "$prefix" >/dev/null

# What the installation consists of, and of its directories those that are not there yet.
mkdir -p "$stage/root$prefix/${list%/*}"
touch "$stage/root$prefix/$list"
(cd "$stage/root$prefix" && find . ! -type d -printf '%P\n' -o -type d -printf '%P/\n') |
    while IFS= read -r path; do
        case $path in
        */) [ -d "$target/$path" ] || printf '%s\n' "$path" ;;
        *) printf '%s\n' "$path" ;;
        esac
    done >"$stage/list"
[ ! -f "$target/$list" ] || cat "$target/$list" >>"$stage/list"

cmake --install "$build" --prefix "$prefix" >/dev/null
# CMake's own list would belong to root after `sudo make install`, and stop the next one.
rm -f "$build/install_manifest.txt"
mkdir -p "$target/${list%/*}"
LC_ALL=C sort -ru "$stage/list" >"$target/$list"
chmod 644 "$target/$list"

# A library directory that the loader knows is found from now on.
if [ -z "${DESTDIR:-}" ] && [ "$(id -u)" = 0 ] && command -v ldconfig >/dev/null; then
    ldconfig
fi
echo "installed Reap in $target"
