#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# One version everywhere: the library's, the tool's, pkg-config's, the changelog's.
source "$(dirname "$0")/support.sh"

cat >version.c <<'END'
#include <reap/reap.h>
#include <stdio.h>
int main(void) { return printf("%d.%d.%d %s\n", REAP_VERSION_MAJOR, REAP_VERSION_MINOR,
                               REAP_VERSION_PATCH, reap_version()) < 0; }
END
"$CC" version.c -I"$PREFIX/include" -L"$PREFIX/lib" -lreap -o version
prints "$VERSION $VERSION" ./version
[ ! -x "$PREFIX/bin/reap" ] || prints "reap $VERSION" "$PREFIX/bin/reap" --version
grep -q "^## $VERSION" "$SOURCE/CHANGELOG.md" || fail "CHANGELOG.md does not know $VERSION"
require pkg-config "the version that pkg-config tells"
prints "$VERSION" pkg-config --modversion reap
