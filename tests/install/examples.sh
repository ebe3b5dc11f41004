#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every example builds from the installed Reap without a warning, and finds its result right.
source "$(dirname "$0")/support.sh"
require pkg-config "the examples"
cp -r "$SOURCE/examples" "the examples"
make -C "the examples" CC="$CC" BUILD=built \
    CFLAGS="-std=c11 -O2 -Wall -Wextra -Wpedantic -Werror" run
