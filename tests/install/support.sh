# SPDX-License-Identifier: Apache-2.0
#
# What the tests of an installed Reap share; sourced. CMake gives them SOURCE, BUILD, PREFIX (where
# the test "install" has installed Reap; its name has spaces), VERSION and CC. Each works in an
# empty directory of its own.
# shellcheck shell=bash
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# shellcheck disable=SC2154 # CMake gives them
export PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig LD_LIBRARY_PATH=$PREFIX/lib
unset DESTDIR

fail() {
    echo "failed: $*"
    exit 1
}

skip() { # skip REASON: the rest of the test
    echo "skipped: $*"
    exit 77
}

require() { # require TOOL WHAT_IS_LEFT_OUT
    command -v "$1" >/dev/null || skip "$2: $1 is not installed"
}

prints() { # prints EXPECTED COMMAND...: runs it, with nothing on standard error
    local printed
    printed=$("${@:2}" 2>"$work/errors") || fail "$2: exit status $?"
    [ "$printed" = "$1" ] || fail "$2 prints '$printed', not '$1'"
    [ ! -s "$work/errors" ] || fail "$2 says '$(head -3 "$work/errors")'"
}
