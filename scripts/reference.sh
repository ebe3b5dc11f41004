#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Writes the reference, the public headers and docs/ as pages that refer to each other, into
# build/reference/html. Fails where Doxygen warns: of a public declaration without a comment, of a
# name in a comment, or a link, that leads nowhere.
#
# Usage: reference.sh
set -u
cd "$(dirname "$0")/.." || exit 2
out=build/reference

if ! command -v doxygen >/dev/null; then
    echo "reference.sh: doxygen is not installed" >&2
    exit 1
fi
rm -rf "$out"
mkdir -p "$out"
version=$(sed -n 's/^#define REAP_VERSION_[A-Z]* //p' include/reap/version.h | paste -s -d .)
warnings=$({ cat docs/reference/Doxyfile && echo "PROJECT_NUMBER = $version"; } | doxygen - 2>&1)
if [ $? != 0 ] || [ -n "$warnings" ]; then
    printf '%s\n' "${warnings//$PWD\//}"
    exit 1
fi
echo "the reference is in $out/html/index.html"
