#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# reap compile: what it prints for kernel files that every dialect takes, for such that none takes
# and for such that only some do, with what is here of devices and compilers; wrong usage; that it
# leaves nothing behind. Usage: compile.sh TOOL devices|host: what kernel files say that only some
# devices take, or the rest
# shellcheck source=tests/tool/scripts.sh
. "$(dirname "$0")/scripts.sh"
part=$2
unset CC CPATH C_INCLUDE_PATH
mkdir temporary kernels
export REAP_CACHE_DIR=$work/cache TMPDIR=$work/temporary

# compiles STATUS OUTPUT ERRORS ARGUMENT...: the exit status, an extended regular expression for
# all of standard output but what there is not here, and one for a part of standard error; '' is
# nothing at all.
compiles() {
    local status=$1 output=$2 errors=$3 got written said
    shift 3
    "$tool" compile "$@" >output 2>errors </dev/null
    got=$?
    written=$(grep -v '^not checked: ' output)
    # A compiler within a driver may print the number of errors.
    said=$(grep -vE '^[0-9]+ errors? generated\.$' errors)
    checks=$((checks + 1))
    [ $got = "$status" ] && [[ $written =~ ^$output$ ]] && [[ $said =~ ${errors:-^$} ]] && return
    failed=$((failed + 1))
    printf 'failed: compile %s\n  status %s, not %s\n' "$*" "$got" "$status"
    sed 's/^/  output: /' output
    sed 's/^/  errors: /' errors
}

if ! command -v cc >/dev/null; then
    echo "skipped: reap compile: cc is not installed"
    exit 0
fi

cat >between.kernels.h <<'END'
#include <reap/kernel.h>

REAP_GROUP_KERNEL(add_up, inout(int, y))
{
    y[reap_group_id(0)] += 2;
}
END

cat >good.kernels.h <<'END'
#include <reap/kernel.h>

REAP_KERNEL(scale, inout(float, x), value(float, factor))
{
    x[reap_global_id(0)] *= factor;
}
END
cat >wrong.kernels.h <<'END'
#include <reap/kernel.h>

REAP_KERNEL(scale, inout(float, x), value(float, factor))
{
    x[reap_global_id(0)] *= factr;
}
END
cat >pointer.kernels.h <<'END'
#include <reap/kernel.h>

static float twice(float v)
{
    return 2 * v;
}

REAP_KERNEL(apply, inout(float, x))
{
    float (*f)(float) = twice;
    x[reap_global_id(0)] = f(x[reap_global_id(0)]);
}
END
cat >kernels/taps.kernels.h <<'END'
#include <reap/kernel.h>
#include "width.h"

REAP_KERNEL_MACRO(TAPS)

REAP_ND_KERNEL(widen, inout(int, x), local(int, y), reduce(plus, int, sum))
{
    y[reap_local_id(0)] = x[reap_global_id(0)] + WIDTH;
    reap_barrier(REAP_LOCAL_SPACE);
#if TAPS > 3
    x[reap_global_id(0)] = y[TAPS];
#endif
    reap_combine(sum, 1);
}
END
cat >recursive.kernels.h <<'END'
#include <reap/kernel.h>

static int add_up(int n)
{
    return n < 2 ? n : add_up(n - 1) + add_up(n - 2);
}

REAP_KERNEL(recursive, inout(int, x))
{
    x[reap_global_id(0)] = add_up(x[reap_global_id(0)]);
}
END
# As before, with digraphs, which the check for recursion does not read.
sed '3,/^}/ { s/^{/<%/; s/^}/%>/ }' recursive.kernels.h >crashing.kernels.h
cat >layout.kernels.h <<'END'
#include <reap/kernel.h>

struct item {
    int id;
#if defined(__OPENCL_VERSION__) || defined(__cplusplus)
    int more[259];
#endif
    int first;
};
struct pair {
#if defined(__OPENCL_VERSION__) || defined(__cplusplus)
    long first;
#else
    int first, second;
#endif
};

REAP_KERNEL(k, value(int, n), in(struct item, x), out(int, y))
{
    y[reap_global_id(0)] = x[reap_global_id(0)].first + n;
}

REAP_KERNEL(pairs, value(struct pair, x), out(int, y))
{
    y[reap_global_id(0)] = (int)x.first;
}
END
cat >left.kernels.h <<'END'
#include <reap/kernel.h>

REAP_GROUP_KERNEL(leaves, inout(int, x))
{
    reap_for_each_item
    {
        if (x[reap_global_id(0)] > 3)
            return;
        x[reap_global_id(0)] = 3;
    }
}
END
# helped CALL STATEMENTS: a helper with words that need a work-group, in either kind of kernel.
words=('reap_barrier(REAP_LOCAL_SPACE)' 'x[1] = (int)reap_local_id(0)'
    'x[1] = (int)reap_group_range(0)' 'x[1] = reap_group_reduce(plus, int, x[0])'
    'reap_group_joint_exclusive_scan(later, int, x, x, 3)')
other_words='x[1] = (int)(reap_local_linear_id() + reap_local_range(0) + reap_group_id(0));
    x[1] += (int)reap_group_linear_id() + (int)reap_local_linear_range();
    x[1] += (int)reap_group_linear_range() + reap_group_leader();
    x[1] += reap_group_inclusive_scan(maximum, int, x[0]);
    x[1] += reap_group_exclusive_scan(later, int, x[0]);
    x[1] += reap_group_broadcast(int, x[0], 1);
    x[1] += reap_group_any(x[0] > 1) + reap_group_all(x[0] > 1) + reap_group_none(x[0] > 1);
    x[1] += reap_group_joint_reduce(plus, int, x, 3);
    x[1] += reap_group_reduce_from(plus, int, x[0], 3);
    x[1] += reap_group_inclusive_scan_from(maximum, int, x[0], 3);
    x[1] += reap_group_exclusive_scan_from(later, int, x[0], 3);
    x[1] += reap_group_broadcast_id(int, x[0], 1, 0);
    x[1] += reap_group_joint_reduce_from(plus, int, x, 3, 1);
    x[1] += reap_group_joint_any(int, e, x, 3, e > 1) + reap_group_joint_all(int, e, x, 3, e > 1);
    x[1] += reap_group_joint_none(int, e, x, 3, e > 1);
    reap_group_joint_inclusive_scan_from(plus, int, x, x, 3, 1);
    reap_group_joint_exclusive_scan_from(plus, int, x, x, 3, 1);
    reap_group_joint_inclusive_scan(plus, int, x, x, 3)'
helped() {
    cat <<END
#include <reap/kernel.h>

REAP_OPERATOR(later, int, 0, a, b)
{
    return a > b ? a : b;
}

static void help(REAP_ITEM, REAP_GLOBAL int *x)
{
    $2;
}

REAP_ND_KERNEL(in_groups, inout(int, x))
{
    help(REAP_THIS_ITEM, x);
}

REAP_KERNEL(in_a_range, inout(int, x))
{
    x[reap_global_id(0)] = 1;$1
}
END
}
# names FILE EXPRESSION: a kernel file that uses what only the program has.
names() {
    printf '#include <reap/kernel.h>\n%s\nREAP_KERNEL(k, inout(int, x))\n{\n    x[0] = %s;\n}\n' \
        "${3-}" "$2" >"$1.kernels.h"
}
names macro FACTOR
names function 'twice(x[0])'
names print 'printf("%d", x[0])'
names variable counter
names own_variable counter 'static int counter;'
names extern_variable counter 'extern int counter;'
names kept_variable 'count(x[0])' \
    'static int count(int v) { static int calls; return v + calls++; }'
printf '#include <stdio.h>\n#define FACTOR 3\nint twice(int);\n' >program.h
printf 'extern int counter;\n' >counter.h
mkdir include
printf '#include <reap/kernel.h>\nREAP_KERNEL_FILE\n#define WIDTH (2 * TAPS)\n' >include/width.h
sed 's/^REAP_KERNEL_MACRO.*//' kernels/taps.kernels.h >undeclared.kernels.h
cat >default.kernels.h <<'END'
#include <reap/kernel.h>
#ifndef SCALE
#define SCALE 1
#endif

REAP_KERNEL(scale, inout(float, x))
{
    x[reap_global_id(0)] *= SCALE;
}
END
sed 's/^#endif/&\nREAP_KERNEL_MACRO(SCALE)/' default.kernels.h >declared.kernels.h
printf 'static int nothing;\n' >empty.h

# What there is here to compile for.
opencl=$("$tool" devices --names | grep -m 1 '^opencl:')
"$tool" compile --target cuda:sm_90 good.kernels.h 2>&1 | grep -q 'libnvrtc.so, which compiles' &&
    nvrtc= || nvrtc=1
[ -n "$opencl" ] || echo "skipped: reap compile for OpenCL: unknown device"
[ -n "$nvrtc" ] || echo "skipped: reap compile for CUDA: NVRTC is not installed"

# Without optimisation for the host, of which nothing is asked in most cases.
printf '#!/bin/sh\nexec cc "$@" -O0\n' >cc_unoptimised
chmod +x cc_unoptimised

# ---- Files that devices do not take, the part `devices` ---------------------------------------

check_devices() {
    export CC=./cc_unoptimised
    for target in host ${opencl:+"$opencl"} ${nvrtc:+cuda:sm_90}; do
        for case in "own counter" "extern counter" "kept calls"; do
            file=${case% *}_variable
            compiles 1 "$file\.kernels\.h: $target failed" \
                "$file\.kernels\.h:2: error: .* variable '${case#* }' of the program: make it" \
                --target "$target" "$file.kernels.h"
        done
    done
    for target in ${opencl:+"$opencl"} ${nvrtc:+cuda:sm_90}; do
        for case in "macro FACTOR.*needs REAP_KERNEL_MACRO.FACTOR." \
            "function twice.*kernels call functions of the kernel file" \
            "print printf.*kernels call functions of the kernel file .*math.h" \
            "variable counter.*a variable of the program is passed as a parameter"; do
            file=${case%% *} included='-include program.h'
            [ "$file" != variable ] || included='-include counter.h'
            CC="./cc_unoptimised $included" compiles 1 \
                "$file\.kernels\.h: host ok, $target failed" \
                "$file\.kernels\.h:[0-9]*: error: .*${case#* }" --target "host,$target" \
                "$file.kernels.h"
        done
    done
    for target in ${opencl:+"$opencl"} ${nvrtc:+cuda:sm_90}; do
        for number in "${!words[@]}"; do
            # In `make check` (SHARE) one word in four.
            [ -z "${SHARE:-}" ] || [ $(((number + ${SEED:-1}) % 4)) = 0 ] || continue
            word=${words[number]}
            name=$(grep -o 'reap_[a-z_]*' <<<"$word" | head -n 1)
            helped ' help(REAP_THIS_ITEM, x);' "$word" >helped.kernels.h
            compiles 1 "helped\.kernels\.h: host ok, $target failed" \
                "error: kernel 'in_a_range': $name in a helper needs a work-group.* a REAP_ND_" \
                --target "host,$target" helped.kernels.h
        done
        compiles 1 "layout\.kernels\.h: host ok, $target failed" \
            "parameter 'x' of type 'struct item' has 8 bytes on the host, and 1044 on device " \
            --target "host,$target" layout.kernels.h
        sed /more/d layout.kernels.h >aligned.kernels.h
        compiles 1 "aligned\.kernels\.h: $target failed" \
            "kernel 'pairs': parameter 'x' of type 'struct pair' is aligned to 4 bytes on the" \
            --target "$target" aligned.kernels.h
        (cat good.kernels.h && printf '/* \xff */\n') >ends.kernels.h
        compiles 0 "ends\.kernels\.h: $target ok" '' --target "$target" ends.kernels.h
        (cat good.kernels.h && printf '\0\n') >ends.kernels.h
        compiles 1 "ends\.kernels\.h: $target failed" \
            "ends\.kernels\.h:$(wc -l <ends.kernels.h): error: the line has a zero byte" \
            --target "$target" ends.kernels.h
        helped '' "$(printf '%s;\n' "${words[@]}")$other_words" >helped.kernels.h
        compiles 0 "helped\.kernels\.h: $target ok" '' --target "$target" helped.kernels.h
    done
    if [ -n "$opencl" ]; then
        compiles 1 "pointer\.kernels\.h: host ok, $opencl failed" \
            "pointer\.kernels\.h: for $opencl:.*pointer\.kernels\.h:10: error: .*pointer" \
            --target "host,$opencl" pointer.kernels.h
        compiles 1 "recursive\.kernels\.h: host ok, $opencl failed" \
            "recursive\.kernels\.h:3: error: 'add_up' calls itself" \
            --target "host,$opencl" recursive.kernels.h
        # PoCL 3.1's compiler crashes, which sanitizers are not to see; others say that it is an
        # error.
        ASAN_OPTIONS=handle_segv=0 TSAN_OPTIONS=handle_segv=0 "$tool" compile \
            --target "$opencl" crashing.kernels.h good.kernels.h >output 2>errors
        holds "a compiler's crash is not the tool's: $(cat output errors)" \
            grep -qx "good.kernels.h: $opencl ok" output
        for option in -DSCALE=7 -DOTHER; do
            compiles 1 "default\.kernels\.h: host ok, $opencl failed" \
                "default\.kernels\.h:2: error: macro 'SCALE' is not defined.* add REAP_KERNEL_" \
                --target "host,$opencl" $option default.kernels.h
            compiles 0 "declared\.kernels\.h: host ok, $opencl ok" '' \
                --target "host,$opencl" $option declared.kernels.h
        done
        compiles 1 "undeclared\.kernels\.h: $opencl failed" \
            "undeclared\.kernels\.h:[0-9]*: error: macro 'TAPS' is not defined on devices" \
            --target "$opencl" -I include -DTAPS=5 undeclared.kernels.h
    fi
    if [ -n "$nvrtc" ]; then
        sed 's/factr/factor * new_thing(1)/' wrong.kernels.h >missing.kernels.h
        sed -i '2s/.*/#ifndef __CUDACC_RTC__\nfloat new_thing(int);\n#endif/' missing.kernels.h
        compiles 1 'missing\.kernels\.h: cuda:sm_80 failed, cuda:sm_90 failed' \
            'missing\.kernels\.h:7: error: .*new_thing' --target cuda missing.kernels.h
        holds "what two targets say alike is printed once" \
            [ "$(grep -c 'kernels.h:7: error: ' errors)" = 1 ]
        compiles 0 'good\.kernels\.h: cuda:sm_999 ok \(compiled for cuda:sm_[0-9]*, .*' '' \
            --target cuda:sm_999 good.kernels.h
        compiles 1 '' '^reap: cuda: NVRTC .* does not know the architecture sm_85; sm_80 is ' \
            --target cuda:sm_85 good.kernels.h
    fi
}
if [ "$part" = devices ]; then
    check_devices
    finish 2
fi

# ---- Good files ------------------------------------------------------------------------------

compiles 0 'good\.kernels\.h: host ok(, [a-z]*:[a-z_0-9]* ok)*' '' good.kernels.h
[ -z "$opencl" ] || holds "devices are tried" grep -q ", $opencl ok" output
[ -n "$opencl" ] || holds "or it is said why not" grep -q '^not checked: opencl: .' output
[ -z "$nvrtc" ] || holds "cards are tried" grep -q ', cuda:sm_80 ok, cuda:sm_90 ok$' output
[ -n "$nvrtc" ] || holds "or it is said why not, once" \
    [ "$(grep -c '^not checked: cuda: .' output)" = 1 ]
compiles 0 'good\.kernels\.h: host ok' '' --target host good.kernels.h
export CC=./cc_unoptimised # from here on: the compiler that CC names, not cc
compiles 0 'kernels/taps\.kernels\.h: host ok.*' '' -Iinclude -DTAPS=5 kernels/taps.kernels.h
compiles 0 './good\.kernels\.h: host ok.kernels/taps.*: host ok' '' --target=host -I include \
    -D TAPS ./good.kernels.h kernels/taps.kernels.h
REAP_BACKENDS=host compiles 0 'good\.kernels\.h: host ok' '' good.kernels.h
holds "nothing is said of what is hidden" [ "$(wc -l <output)" = 1 ]

# ---- Bad files -------------------------------------------------------------------------------

compiles 1 'wrong\.kernels\.h: host failed, so nothing else was tried' \
    'wrong\.kernels\.h:5:[0-9]*: error: .*factr' --target host wrong.kernels.h
compiles 1 'wrong\.kernels\.h: host failed.*good\.kernels\.h: host ok' ':5:[0-9]*: error: ' \
    --target host wrong.kernels.h good.kernels.h
compiles 1 'between\.kernels\.h: host failed' \
    "between\.kernels\.h:5: error: 'y' is written between phases" --target host between.kernels.h
# That the compiler finds, while it optimises.
CC=cc compiles 1 'left\.kernels\.h: host failed, so nothing else was tried' \
    'a phase is left by return or goto' --target host left.kernels.h
compiles 1 '' '^reap: empty\.h: has no kernel$' empty.h
compiles 1 '' '^reap: missing\.h: No such file or directory$' missing.h
compiles 1 '' '^reap: kernels: is a directory$' kernels
compiles 1 '' '^reap: a"b: the name of a kernel file must not contain a quote or a newline$' 'a"b'

# ---- What cannot be checked ------------------------------------------------------------------

compiles 1 '' '^reap: opencl(:99: unknown device|: .)' --target opencl:99 good.kernels.h
compiles 1 'good\.kernels\.h: host ok' '^reap: cuda: .' --target host,cuda:sm_10 good.kernels.h
REAP_BACKENDS=host compiles 1 '' "^reap: cuda: REAP_BACKENDS is 'host', which leaves it out$" \
    --target cuda good.kernels.h
REAP_BACKENDS=ghost compiles 1 '' "^reap: REAP_BACKENDS is 'ghost', and these backends" \
    good.kernels.h
env -u CC PATH="$work/nowhere" "$tool" compile good.kernels.h >output 2>errors
holds "without a C compiler it fails" [ $? = 1 ]
holds "and says so: $(cat errors)" \
    [ "$(cat errors)" = "reap: the C compiler 'cc' cannot be run: No such file or directory" ]
CC='./cc_unoptimised -DNAMED' compiles 0 'good\.kernels\.h: host ok' '' --target host good.kernels.h
CC=no-such-compiler compiles 1 '' "'no-such-compiler' cannot be run" good.kernels.h
TMPDIR=$work/nowhere compiles 1 '' '/nowhere: cannot create a temporary folder there: ' \
    good.kernels.h

# ---- Files that are not to be trusted ----------------------------------------------------------

cat >hostile.kernels.h <<'END'
#include <reap/kernel.h>
#include <stdlib.h>

REAP_KERNEL(scale, inout(float, x))
{
    x[reap_global_id(0)] *= 2;
}
#if !defined __OPENCL_VERSION__ && !defined __CUDACC_RTC__
__attribute__((constructor)) static void run(void)
{
    if (system("touch ran"))
        abort();
}
static void *choose(void)
{
    run();
    return NULL;
}
void *chosen(void) __attribute__((ifunc("choose")));
#endif
END
compiles 0 'hostile\.kernels\.h: host ok(, [a-z]*:[a-z_0-9]* ok)*' '' hostile.kernels.h
holds "no code of a file is run" [ ! -e ran ]

# forge NAME MEMBERS: a file with a kernel that no macro has made.
forge() {
    printf '#include <reap/kernel.h>\n%s\n' "static const struct reap_kernel $1 = {$2};
static const struct reap_kernel *const listed __attribute__((__used__,
    __section__(\"reap_kernels\"))) = &$1;" >"$1.h"
}
format='.format = REAP__KERNEL_FORMAT'
forge no_name "$format"
forge wild "$format, .name = (const char *)1, .file = \"x\", .text = (const char *(*)(void))8"
forge many "$format, .name = \"a\", .file = \"x\",
    .parameters = (void *)16, .parameter_count = 1 << 30"
forge newer '.format = REAP__KERNEL_FORMAT + 1'
for name in no_name wild many newer; do
    compiles 1 '' "^reap: $name\.h: its kernels cannot be read from the compiled object: " $name.h
done

# workers: the processes that have to do with the temporary folder.
workers() {
    grep -lzF "$work/temporary" /proc/[0-9]*/cmdline 2>/dev/null
}
is_at_work() {
    [ "/proc/$process/exe" -ef "$tool" ] && [ -n "$(workers)" ]
}
# A compiler's own children are killed with it, and are gone when the kernel has got to it.
is_over() {
    [ -z "$(workers)" ] && [ -z "$(ls temporary)" ]
}
mkfifo endless.h
printf '#include <reap/kernel.h>\n#include "endless.h"\n' >endless.kernels.h
for signal in TERM INT HUP KILL; do
    env --default-signal "$tool" compile endless.kernels.h >output 2>errors &
    process=$!
    holds "the compiler is at work" comes is_at_work
    kill -$signal $process
    wait $process 2>/dev/null
    holds "$signal ends the tool with this signal" [ $? = $((128 + $(kill -l $signal))) ]
    holds "and leaves nothing behind: $(workers; ls temporary)" comes is_over
done
ended='the C compiler was ended after 1 second; --timeout allows more'
compiles 1 '' "^reap: endless\.kernels\.h: $ended.reap: missing\.h: No such file or directory$" \
    --timeout 1 endless.kernels.h missing.h
holds "nor does the end of its time" comes is_over

# ---- The command line, and what is left behind -----------------------------------------------

compiles 2 '' '^reap compile: FILE is missing; --help says more$'
compiles 2 '' "^reap compile: unrecognized option '--foo'$" --foo good.kernels.h
compiles 2 '' "option requires an argument -- 'I'$" good.kernels.h -I
for list in '' , host, ,host gpu cuda:sm_ cuda:x opencl:1x HOST; do
    compiles 2 '' "^reap compile: --target: '$list' is not a list of targets; --help has them$" \
        --target "$list" good.kernels.h
done
for seconds in '' 0 -1 x 1.5 1K 1000001 99999999999999999999; do
    compiles 2 '' \
        "^reap compile: --timeout: '$seconds' is not a number of seconds from 1 to 1000000$" \
        --timeout "$seconds" good.kernels.h
done
"$tool" compile --target host good.kernels.h >/dev/full 2>errors
holds "a full disk: $?" [ "$(cat errors)" = "reap: standard output: No space left on device" ]
holds "no folder is left behind" [ -z "$(ls temporary)" ]

finish 25
