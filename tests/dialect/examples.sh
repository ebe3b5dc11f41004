#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The examples of the documentation compile without a warning: a block of C with a launch as the
# statements of a function, any other as a kernel file. scripts.sh says how it is run.
. "$(dirname "$0")/scripts.sh"
cd "$work" || exit 1
docs=$(cd "$here/../../docs" && pwd)

# The blocks of a page, each in a file page.N.
for page in atomics devices groups kernels reductions rows spans; do
    awk -v page="$page" '/^```c$/ { inside = 1; n++; next } /^```/ { inside = 0 }
        inside { print > (page "." n) }' "$docs/$page.md"

    # A page's kernels in one program, in their order, followed by its launches.
    echo '#include <reap/reap.h>' >$page.c
    : >functions
    set +f
    for block in $(printf '%s\n' "$page".[0-9]* | sort -t. -k2n); do
        if grep -q 'reap_parallel_for' "$block"; then
            parameters='reap_queue *queue'
            ! grep -q 'reap_queue \*queue' "$block" || parameters=void
            {
                printf 'reap_status launch_%s(%s);\n' "${block#*.}" "$parameters"
                printf 'reap_status launch_%s(%s)\n{\n' "${block#*.}" "$parameters"
                grep -q 'float x\[' "$block" || printf 'static const float x[10];\n'
                grep -q 'pixels = pixels' "$block" && printf 'static unsigned char pixels[10];\n'
                grep -q 'bins = {.*bins,' "$block" && ! grep -q 'uint32_t bins' "$block" &&
                    printf 'static uint32_t bins[256];\n'
                grep -q 'count' "$block" && printf 'const size_t count = 10;\n(void)count;\n'
                grep -q 'reap_status status' "$block" || printf 'const reap_status status =\n'
                cat "$block"
                printf '(void)x;\nreturn status;\n}\n'
            } >>functions
        else
            (echo '#include <reap/kernel.h>' && cat "$block") >"$block.kernels.h"
            echo "#include \"$block.kernels.h\"" >>$page.c
        fi
    done
    set -f
    cat functions >>$page.c
    "$cc" -std=c11 -O0 -Wall -Wextra -Wpedantic -Wno-unused-function -Werror "-I$include" \
        -c $page.c -o $page.o >log 2>&1
    check $? "the examples of docs/$page.md"
    [ "$(grep -c 'launch_.*;' functions)" -gt 0 ] && [ "$(grep -c kernels.h $page.c)" -gt 0 ]
    check $? "docs/$page.md has examples"
done
finish
