#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A kernel file's text is in the program, byte for byte, and its kernels run, however the program is
# built: with each compiler option below, from any path, preprocessed first, in shared libraries and
# plugins. scripts.sh says how it is run; behind its arguments come the parts of this file to run.
. "$(dirname "$0")/scripts.sh"
root=$(cd "$here/../.." && pwd)
common=(-D_POSIX_C_SOURCE=200809L "-I$root" "-I$include")
macros=(-DFACTOR=3 '-DNAME="a, b"')

# run PROGRAM ARGUMENT...: its exit status counts. With one thread: the library is not built with
# the sanitizers that a program may be built with.
run() {
    REAP_NUM_THREADS=1 timeout 60 "$@" >"$work/log" 2>&1
}

# two_units LABEL OPTION...: first.c and second.c, each compiled alone, then linked.
two_units() {
    local label=$1 unit objects=() status
    shift
    for unit in first second; do
        "$cc" "$@" "${common[@]}" "${macros[@]}" -c "$here/embedding/$unit.c" \
            -o "$work/$unit.o" >"$work/log" 2>&1 || break
        objects+=("$work/$unit.o")
    done
    [ ${#objects[@]} = 2 ] &&
        "$cc" "$@" "${objects[@]}" -o "$work/program" "$static" -lpthread >"$work/log" 2>&1 &&
        run "$work/program" "$here/embedding"
    status=$?
    check $status "two translation units: $label"
    rm -f "$work/program" "$work"/*.o
}

# one_file LABEL FOLDER NAME OPTION...: a program of the file FOLDER/NAME alone.
one_file() {
    local label=$1 folder=$2 name=$3
    shift 3
    "$cc" -O0 "${common[@]}" "$@" "$here/embedding/one.c" -o "$work/program" "$static" -lpthread \
        >"$work/log" 2>&1 && run "$work/program" "$folder" "$name"
    check $? "$label"
    rm -f "$work/program"
}

# with_each OPTIONS...: the program of two units, with each string of options.
with_each() {
    local words
    for words in "$@"; do
        wanted || continue
        IFS=' ' read -r -a list <<<"$words"
        if compiles "${list[@]}"; then
            two_units "$words" "${list[@]}"
        else
            skip "$cc does not take $words here"
        fi
    done
}

# Where optimisation changes nothing there is none, for it takes long.
levels() {
    with_each "-O0" "-O1" "-O2" "-O3" "-Os" "-Og" "-O2 -g" "-O0 -g3" "-O2 -march=native" \
        "-std=c11" "-std=gnu11" "-std=c17" "-std=gnu17" "-std=c2x"
}

links() {
    with_each "-O0 -fPIC" "-O2 -fPIC" "-O0 -fPIE -pie" "-O0 -fno-pie -no-pie" "-O0 -static" \
        "-O0 -fvisibility=hidden" "-O0 -flto" "-O3 -flto" "-O0 -flto -fPIC -g" "-O0 -flto -static" \
        "-O0 -flto=thin -fuse-ld=lld" "-O2 -flto -fuse-ld=lld"
}

tools() {
    with_each "-O2 -ffunction-sections -fdata-sections -Wl,--gc-sections" \
        "-O0 -ffunction-sections -fdata-sections -Wl,--gc-sections -fuse-ld=lld" \
        "-O2 -fuse-ld=lld -Wl,--icf=all" "-O0 -fuse-ld=gold -Wl,--gc-sections,--icf=all" \
        "-O0 -fsanitize=address" "-O0 -fsanitize=undefined" "-O0 -fsanitize=thread" \
        "-O0 --coverage" "-O0 -pg" "-O2 -masm=intel" "-O0 -fdebug-prefix-map=$root=/elsewhere" \
        "-O1 -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection" \
        "-O0 -fcf-protection -fno-plt" "-O0 -finstrument-functions" "-O1 -finstrument-functions" \
        "-O0 -fno-common -fwrapv -fno-strict-aliasing"
}

# Compiled alone: this processor may not be one of them.
processors() {
    local name level
    for name in native haswell skylake-avx512 znver1 znver3 nehalem core2 k8 x86-64-v2 x86-64-v3 \
        x86-64-v4 armv8-a armv8.2-a; do
        compiles "-march=$name" -fsyntax-only || continue
        for level in -O0 -O2; do
            "$cc" $level "-march=$name" -Wall -Wextra -Werror "${common[@]}" -c \
                "$here/embedding/narrow.c" -o narrow.o >"$work/log" 2>&1
            check $? "$level -march=$name"
        done
    done
}

# A path's letters must mean themselves to the preprocessor, the compiler and the assembler.
long=$(printf 'a%.0s' {1..200})
folders=(
    "with space" 'double"quote' "single'quote" '"' 'per%cent %d %%0' 'braces{a|b}' '{' '}'
    'back\slash' 'back\nslash' 'octal\101' 'two\\slashes' 'dollar$HOME$$' 'semi;colon' 'hash#tag'
    'comma,list' 'at@sign' 'star*?[x]' 'mün-漢字-🙂' 'tab	stop' '-dash' '&<>|`' "all of it \\ \"'%{|};"
    "$long/$long/$long/$long/$long/$long"
)
paths() {
    local folder
    for folder in "${folders[@]}"; do
        # Below, this one is gone through.
        [ "$folder" = "with space" ] || wanted || continue
        mkdir -p -- "./paths/$folder"
        cp "$here/embedding/sum.kernels.h" "./paths/$folder/"
        one_file "absolute path $folder" "$work/paths/$folder" sum.kernels.h \
            "-I$work/paths/$folder"
        one_file "relative path $folder" "$work/paths/$folder" sum.kernels.h "-Ipaths/$folder"
    done
    cd "paths/with space" || exit 1
    one_file "path through the parent" . sum.kernels.h "-I../../paths/./with space"
    cd ../..
    ln -s "with space" paths/link
    one_file "path through a link" paths/link sum.kernels.h -Ipaths/link
}

# Texts of every shape; the kernel's line is the same in each.
contents() {
    local file=contents/sum.kernels.h
    mkdir contents
    one_content() { one_file "$1" contents sum.kernels.h -Icontents; }
    sed 's/$/\r/' "$here/embedding/sum.kernels.h" >$file && one_content "CRLF"
    printf '%s' "$(cat "$here/embedding/sum.kernels.h")" >$file && one_content "no last newline"
    (cat "$here/embedding/sum.kernels.h" && printf '\n\n \n\n') >$file && one_content "empty lines"
    (printf '\n\n\n' && cat "$here/embedding/sum.kernels.h") >$file &&
        one_content "empty lines first"
    (cat "$here/embedding/sum.kernels.h" &&
        printf '/* \x01 \x7f \xc3\xbc \xff \\n \\0 %%d " */') >$file &&
        one_content "control and other letters"
    (cat "$here/embedding/sum.kernels.h" && yes '/* a line of text that is 40 long ..... */' |
        head -100000) >$file && one_content "4 MB"
    (printf '\xef\xbb\xbf' && cat "$here/embedding/sum.kernels.h") >$file &&
        one_content "byte order mark"
}


# refused LABEL PATTERN COMMAND...: the command fails, and its first error says PATTERN.
refused() {
    local label=$1 pattern=$2
    shift 2
    ! "$@" >"$work/log" 2>&1 && grep -i 'error' "$work/log" | head -1 | grep -q -e "$pattern"
    check $? "$label"
}

# Under a prefix map __FILE__ is a path that may not exist.
prefix_maps() {
    local folder=$work/mapped/src map
    mkdir -p mapped/src
    cp "$here/embedding/sum.kernels.h" mapped/src/
    for map in -ffile-prefix-map -fmacro-prefix-map; do
        refused "$map without more is an error" '/elsewhere/src/sum.kernels.h' \
            "$cc" "${common[@]}" "-I$folder" "$map=$work/mapped=/elsewhere" -c \
            "$here/embedding/one.c" -o one.o
        one_file "$map, REAP_EMBED_BY_NAME" "$folder" sum.kernels.h "-I$folder" \
            "$map=$work/mapped=/elsewhere" -DREAP_EMBED_BY_NAME "-Wa,-I,$folder"
        one_file "$map to ., with the root" "$folder" sum.kernels.h "-I$folder" \
            "$map=$work/mapped=." "-Wa,-I,$work/mapped"
        one_file "$map to nothing, with the root" "$folder" sum.kernels.h "-I$folder" \
            "$map=$work/mapped/=" "-Wa,-I,$work/mapped"
    done
}

# through NAME OPTION...: first.c and second.c preprocessed with the options, the results compiled.
through() {
    local label=$1 unit status=0
    shift
    for unit in first second; do
        # shellcheck disable=SC2086
        "$cc" "$@" "${common[@]}" "${macros[@]}" "$here/embedding/$unit.c" -o $unit.i \
            >"$work/log" 2>&1 &&
            "$cc" -O0 ${through_again-} "${macros[@]}" -c $unit.i -o $unit.o \
                >>"$work/log" 2>&1 || status=1
    done
    [ $status = 0 ] && "$cc" first.o second.o -o program "$static" -lpthread >"$work/log" 2>&1 &&
        run ./program "$here/embedding"
    check $? "$label"
    rm -f first.* second.* program
}
preprocessed() {
    through_again="-Wall -Wextra -Werror" through "preprocessed first" -E
    through "preprocessed first, without line markers" -E -P
    if [ $family = gcc ]; then
        through_again="-fpreprocessed -fdirectives-only" through "directives only" \
            -E -fdirectives-only
    else
        through_again="-x c" through "included files written out" -E -frewrite-includes
    fi
    mkdir temporaries
    cd temporaries || exit 1
    two_units "-save-temps" -O0 -save-temps -Wall -Wextra -Werror
    cd ..
}


# A program, a library and a plugin, with one libreap for all or one in each.
libraries() {
    local reap option
    for option in "-O2" "-O0 -flto" "-O0 -fvisibility=hidden"; do
        for reap in "$shared" "$static"; do
            # shellcheck disable=SC2086
            "$cc" $option "${common[@]}" -DFACTOR=3 '-DNAME=""' -fPIC -shared -o libkernels.so \
                "$here/embedding/library.c" "$reap" -lpthread >log 2>&1 &&
                "$cc" $option "${common[@]}" -DFACTOR=7 '-DNAME=""' -fPIC -shared -o plugin.so \
                    "$here/embedding/library.c" "$reap" -lpthread >>log 2>&1 &&
                "$cc" $option "${common[@]}" -o loader "$here/embedding/loader.c" libkernels.so \
                    "$reap" -lpthread -ldl "-Wl,-rpath,$work:$(dirname "$shared")" >>log 2>&1 &&
                run ./loader "$here/embedding" ./plugin.so
            check $? "program, library and plugin, $option, $(basename "$reap")"
        done
    done
}

# A build folder beside the sources', and paths that are relative to it.
build_folders() {
    mkdir -p tree/build tree/other
    cp -r "$here/embedding" tree/src
    cd tree/build || exit 1
    compile_in_build() {
        "$cc" "$@" "${common[@]}" "${macros[@]}" -c ../src/first.c -o first.o >"$work/log" 2>&1 &&
            "$cc" "$@" "${common[@]}" "${macros[@]}" -c ../src/second.c -o second.o \
                >>"$work/log" 2>&1
    }
    compile_in_build -O0 && "$cc" first.o second.o -o program "$static" -lpthread &&
        run ./program ../src
    check $? "relative paths from a build folder"

    # The assembler of a link-time optimisation runs where the link does.
    compile_in_build -O0 -flto
    cd ../other/..
    mkdir -p deeper/still
    cd deeper/still || exit 1
    refused "relative paths, linked elsewhere with -flto" '\.\./src/.*kernels.h\|helper.h' \
        "$cc" -O0 -flto ../../build/first.o ../../build/second.o -o program "$static" -lpthread
    cd "$work" || exit 1
}

cd "$work" || exit 1
for section in "${@:5}"; do
    "$section"
done
finish
