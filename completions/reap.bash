# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Completion for bash: commands, options, types and devices. Where nothing of this fits, readline
# completes names of files.

# _reap_choose WORDS: those of them, one a line, that begin with what is typed. Readline keeps what
# is before a colon.
_reap_choose() {
    local word
    while IFS= read -r word; do
        [[ -n $word && $word == "$current"* ]] || continue
        [[ $COMP_WORDBREAKS != *:* ]] || word=${word#"${current%"${current##*:}"}"}
        COMPREPLY+=("$word")
    done <<<"$1"
}

# _reap_list WORDS: the same for the last one of a list with commas.
_reap_list() {
    local before=${current%"${current##*,}"} word words=''
    while IFS= read -r word; do
        words+="$before$word"$'\n'
    done <<<"$1"
    _reap_choose "$words"
}

# _reap_words WORD...: the same as _reap_choose.
_reap_words() {
    _reap_choose "$(printf '%s\n' "$@")"
}

# Nothing, not even files.
_reap_nothing() {
    compopt +o default +o bashdefault 2>/dev/null
}

# The value of an option: _reap_value COMMAND OPTION TOOL. Fails where it takes none.
_reap_value() {
    case "$1 $2" in
    "describe --type")
        _reap_words bool i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128
        ;;
    "describe --device") _reap_choose "$("$3" devices --names 2>/dev/null)" ;;
    "bench --device") _reap_list "$("$3" devices --names 2>/dev/null)" ;;
    "compile --target")
        _reap_list "$("$3" devices --names 2>/dev/null
            printf '%s\n' opencl cuda cuda:sm_80 cuda:sm_90)"
        ;;
    "describe --separator") _reap_words , '\;' '\|' : tab ;;
    "describe --comment") _reap_words \# % // none ;;
    "describe --quote") _reap_words '\"' "\\'" none ;;
    "describe --decimal") _reap_words . , ;;
    "compile -I")
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -d -- "$current")
        ;;
    "bench --svg") ;; # a file
    "describe --missing" | "describe --digits" | "describe --shape" | "describe --by" | "describe --offset" | "describe --columns" | "describe --axis" | "describe --quantiles" | \
        "describe --device-memory" | "describe --timeout" | "bench --largest" | \
        "bench --seconds" | "compile -D" | "compile --timeout")
        _reap_nothing
        ;;
    *) return 1 ;;
    esac
}

_reap_options() {
    case $1 in
    bench) _reap_words --device --largest --seconds --json --svg --help ;;
    compile) _reap_words -I -D --target --timeout --help ;;
    describe)
        _reap_words --type --big-endian --offset --shape --list --columns --by --distinct --separator --quote --decimal \
            --comment --missing --header --no-header --allow-outside --timeout --axis --quantiles --histogram --no-histogram --transpose --no-transpose --digits --csv --tsv --json --device \
            --device-memory --no-mpi --rate --help
        ;;
    devices) _reap_words --names --help ;;
    esac
}

_reap() {
    local line=${COMP_LINE:0:COMP_POINT} current previous words
    current=${line##*[[:blank:]]}
    read -ra words <<<"${line%"$current"}"
    previous=${words[${#words[@]} - 1]}
    if [[ $current == --*=* ]]; then
        previous=${current%%=*}
        current=${current#*=}
    fi
    COMPREPLY=()
    if [[ ${#words[@]} == 1 ]]; then
        _reap_words bench compile describe devices --help --version
        return
    fi
    _reap_value "${words[1]}" "$previous" "$1" && return
    if [[ $current == -* || ${words[1]} == bench || ${words[1]} == devices ]]; then
        _reap_options "${words[1]}"
    fi
}

complete -o bashdefault -o default -F _reap reap
