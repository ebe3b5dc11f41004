#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs Reap for the other tests here, over whatever an earlier run left.
source "$(dirname "$0")/support.sh"

rm -rf "$PREFIX"
"$SOURCE/scripts/install.sh" "$BUILD" "$PREFIX"
