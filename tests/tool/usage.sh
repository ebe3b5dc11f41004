#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The texts on the tool's use agree with what the tool does: the manual pages and the shells'
# completions have the options of --help, and no others; the pages are well-formed; what README.md,
# docs/describe.md and the pages show of `reap describe` is what it prints; and docs/describe.md
# explains the keys of --json.
# Usage: usage.sh TOOL SOURCE
# shellcheck source=tests/tool/scripts.sh
. "$(dirname "$0")/scripts.sh"
source=$2
unset COLUMNS
export PATH=${tool%/*}:$PATH
ln -s "$source/data" data

# same TEXT ONE OTHER: both are the same lines, in any order.
same() {
    holds "$1" diff <(sort -u <<<"$2") <(sort -u <<<"$3")
}

# ---- Options ---------------------------------------------------------------------------------

# help_options COMMAND...: the options in its --help, one a line. What is said of one is behind two
# blanks.
help_options() {
    "$tool" "$@" --help | sed -n 's/^  \(-.*\)/\1/p' | sed 's/  .*//' |
        grep -oE '(^|[ ,])--?[A-Za-z][a-z-]*' | tr -d ' ,'
}

# macro_options MACRO PAGE: those in the page's lines with the macro.
macro_options() {
    grep "^\.$1 Fl" "$2" | grep -oE 'Fl (Fl )?[A-Za-z-]+' | sed 's/^Fl Fl /--/; s/^Fl /-/'
}

mapfile -t commands < <("$tool" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')
holds "the commands are those of --help: ${commands[*]}" [ ${#commands[@]} -ge 4 ]
man=$source/docs/man
for command in "${commands[@]}"; do
    page=$man/reap-$command.1
    options=$(help_options "$command")
    same "the page of $command has its options" "$options" "$(macro_options It "$page")"
    same "so has its synopsis" "$(grep -vx -- --help <<<"$options")" \
        "$(macro_options Op "$page")"
    holds "reap.1 has $command" grep -qx "\.It Cm $command" "$man/reap.1"
    holds "reap.1 names the page of $command" grep -q "^\.Xr reap-$command 1" "$man/reap.1"
done
same "reap.1 has the options" "$(help_options)" "$(macro_options It "$man/reap.1")"

if command -v groff >/dev/null && groff -mdoc -Tascii /dev/null >/dev/null 2>&1; then
    for page in "$man"/*.1; do
        holds "${page##*/} is well-formed" [ -z "$(groff -mdoc -ww -Tascii -z "$page" 2>&1)" ]
        holds "${page##*/} is readable at 80 columns" \
            [ -z "$(groff -mdoc -Tascii -P-cbou "$page" | expand | awk 'length > 80')" ]
    done
else
    echo "skipped: whether the manual pages are well-formed: groff is not installed"
fi

# ---- Completion ------------------------------------------------------------------------------

# shellcheck source=/dev/null
source "$source/completions/reap.bash"

# complete_bash LINE: what bash would offer at its end, one a line.
complete_bash() {
    COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDBREAKS=$' \t\n"\'><=;|&(:' COMPREPLY=()
    _reap reap
    [ ${#COMPREPLY[@]} = 0 ] || printf '%s\n' "${COMPREPLY[@]}"
}

# complete_fish LINE
complete_fish() {
    fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$source/completions/reap.fish" \
        "$1" | cut -f 1
}

# check_shell SHELL: by complete_SHELL.
check_shell() {
    local complete=complete_$1 types devices
    same "$1 completes commands" "$(printf '%s\n' "${commands[@]}")" \
        "$($complete 'reap ' | grep -v '^-')"
    same "$1 completes --help and --version" "$(help_options)" "$($complete 'reap -' | grep '^-')"
    for command in "${commands[@]}"; do
        same "$1 completes the options of $command" "$(help_options "$command")" \
            "$($complete "reap $command -")"
    done
    types=$($complete 'reap describe --type ')
    same "$1 completes the types of --help" \
        "$("$tool" describe --help | tr ' ,' '\n\n' | grep -xE 'bool|[iufc][0-9]+')" "$types"
    devices=$("$tool" devices --names)
    same "$1 completes devices" "$devices" "$($complete 'reap describe --device ')"
    same "$1 completes a list of devices" "$devices" \
        "$($complete 'reap bench --device cuda:0,' | sed 's/^.*,//')"
}

check_shell bash
holds "bash keeps what is before a colon" \
    [ "$(complete_bash 'reap compile --target host,cuda:sm_8')" = sm_80 ]
holds "bash completes behind an equals sign" [ "$(complete_bash 'reap describe --type=c6')" = c64 ]
holds "bash leaves files to readline" [ -z "$(complete_bash 'reap describe data/')" ]
if command -v fish >/dev/null; then
    check_shell fish
else
    echo "skipped: completion for fish, which is not installed"
fi
for command in "${commands[@]}"; do
    sed -n "/^    $command)/,/;;/p" "$source/completions/_reap" >part
    same "zsh completes the options of $command" "$(help_options "$command")" \
        "$(grep -oE -- '--?[A-Za-z][a-z-]*[+]?\[' part | tr -d '+[')"
done
if command -v zsh >/dev/null; then
    holds "the completion for zsh is well-formed" zsh -n "$source/completions/_reap"
else
    echo "skipped: whether the completion for zsh is well-formed: zsh is not installed"
fi

# ---- What the documentation shows ------------------------------------------------------------

# split_sessions FILE: its blocks that begin with `$ reap describe` are written as session.N. A
# block of CSV is saved under the name in backquotes that ends the line before, with a colon.
split_sessions() {
    rm -f session.*
    awk '/`[^`]*\.csv`:$/ { name = $0; sub(/`:$/, "", name); sub(/.*`/, "", name) }
        /^```csv$/ { into = name; next }
        /^```/ || /^\.Bd / || /^\.Ed$/ { into = ""; is_first = 1; next }
        is_first && /^\$ reap describe / { into = "session." ++count }
        { is_first = 0 }
        into != "" { print >into }' "$1"
}

# replay SESSION: what its commands print, with them.
replay() {
    grep '^\$ ' "$1" | while IFS= read -r line; do
        printf '%s\n' "$line"
        bash -c "${line#$ }" 2>&1
    done
}

# Histograms have other characters without UTF-8.
utf8=$(locale -a 2>/dev/null | grep -ixm1 'C.utf-\?8')
export LC_ALL=${utf8:-C}
for file in README.md docs/describe.md docs/man/reap-describe.1; do
    split_sessions "$source/$file"
    for session in session.*; do
        if [ -z "$utf8" ] && grep -q '▁' "$session"; then
            echo "skipped: a histogram that $file shows: the locale C.UTF-8 is missing"
            continue
        fi
        holds "$file shows what the tool prints: $(head -n 1 "$session")" \
            diff "$session" <(replay "$session")
    done
done

# ---- JSON ------------------------------------------------------------------------------------

if "$tool" describe --json data/sea_temperatures.npy >json 2>/dev/null; then
    "$tool" describe --json --rate --axis 1 data/sea_temperatures.npy >>json
    "$tool" describe --json --quantiles 0.5 --histogram data/sea_temperatures.csv >>json
    echo 18446744073709551616 >wide.csv
    "$tool" describe --json wide.csv >>json
    printf 'a,b\n-999,1\n1,x\n2,3\n4,5\n2,z\n3,7\n4,8\n4,9\n?,10\n4,11\n' >odd.csv
    "$tool" describe --json odd.csv >>json
    "$tool" describe --json --by b odd.csv >>json
    "$tool" describe --json --distinct odd.csv >>json
    printf 'a,b\n"1,5",2.5\n' >marks.csv
    "$tool" describe --json marks.csv >>json
    # The key `note` comes with HDF5 and NetCDF alone.
    same "docs/describe.md explains the keys of --json" \
        "$(grep -oE '"[a-z_]+":' json | tr -d '":')
note" \
        "$(sed -n '/^## JSON/,/^## [^J]/s/^| \(`[^|]*\) |.*/\1/p' "$source/docs/describe.md" |
            tr -d '` ' | tr ',' '\n')"
else
    echo "skipped: the keys of --json: the tool was built without json-c"
fi

finish 40
