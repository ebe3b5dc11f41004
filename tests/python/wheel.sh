#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The wheel: its names, what is in it, and that it works in a new environment of Python's without a
# compiler, without and with NumPy, as README.md has it. The program `reap` that it installs reads
# files there, alone and for the package, and with a compiler finds the headers of the package.
#
# Usage: wheel.sh SOURCES FOLDER, with REAP_BUILD as scripts/wheel.sh takes it
set -eu
sources=$1 folder=$2/wheel
python=$sources/tests/support/python.sh
unset REAP_DEVICE REAP_NUM_THREADS PYTHONPATH

fail() {
    echo "wheel.sh: $*" >&2
    exit 1
}

rm -rf "$folder"
mkdir -p "$folder/bin"
cd "$folder" # where Python finds no module by chance
status=0
wheel=$("$sources/scripts/wheel.sh" "$folder") || status=$?
[ "$status" = 0 ] || { echo "$wheel" && exit "$status"; }
[ -f "$wheel" ] || fail "no wheel: $wheel"
linux=linux # with another C library than glibc
! getconf GNU_LIBC_VERSION >/dev/null 2>&1 || linux="manylinux_2_*"
case ${wheel##*/} in
reap-*-cp311-abi3-${linux}_"$(uname -m)".whl) ;;
*) fail "the wheel's name is ${wheel##*/}" ;;
esac
"$python" "zipfile" -m zipfile -e "$wheel" "$folder/content"
for file in __init__.py _reap.pyi py.typed _reap.abi3.so; do
    [ -f "$folder/content/reap/$file" ] || fail "$file is not in the wheel"
done
[ "$(nm -D --defined-only "$folder/content/reap/_reap.abi3.so" | awk '{ print $3 }')" = \
    PyInit__reap ] || fail "the extension shows more names than that of its module"
licenses=$(echo "$folder"/content/reap-*.dist-info/licenses)
[ -f "$licenses/LICENSE" ] || fail "LICENSE is not in the wheel"

# In the environment no program is found but Python.
environment=$folder/environment
for packages in "" --system-site-packages; do
    "$python" "setuptools wheel pip tomllib" -m venv --clear --without-pip \
        ${packages:+"$packages"} "$environment"
    "$python" "setuptools wheel pip tomllib" -m pip --python "$environment/bin/python" install \
        --quiet --no-index --no-deps "$wheel"
    got=$(PATH=$folder/bin "$environment/bin/python" -c '
import array, reap, sys
assert reap.__file__.startswith(sys.prefix), reap.__file__
print(reap.sum(array.array("d", [1, 2, 3.5])), reap.devices()[0])')
    [ "$got" = "6.5 host" ] || fail "got: $got"
done

# The program. That PATH has another must not matter.
reap=$environment/bin/reap
printf '#!/bin/sh\necho "another reap" >&2\nexit 1\n' >"$folder/bin/reap"
chmod +x "$folder/bin/reap"
described() { # described FILE LINE: whether the program's description of the file has the line
    PATH=$folder/bin "$reap" describe "$1" >description || fail "reap describe $1"
    grep -qxF "$2" description || fail "reap describe $1: $(cat description)"
}
tables=$sources/data/sea_temperatures
described "$tables.csv" "$tables.csv: 61 rows, 13 columns"
described "$tables.npy" "$tables.npy: f64, 61 x 12, 5.72 KiB"
for options in --version --help devices; do
    PATH=$folder/bin "$reap" "$options" >output || fail "reap $options"
    grep -q "reap\|^\* host " output || fail "reap $options: $(cat output)"
done
"$reap" compile --target host "$sources/examples/01_sum_and_max.kernels.h" || fail "reap compile"
if [ -f "$licenses/libjson-c-dev" ]; then
    got=$(PATH=$folder/bin "$environment/bin/python" -c '
import reap, sys
table, array = (reap.describe(sys.argv[1] + suffix) for suffix in (".csv", ".npy"))
print(table["YEAR"]["minimum"], array["count"])' "$tables")
    [ "$got" = "1950 732" ] || fail "reap.describe: $got"
    "$python" "setuptools wheel pip tomllib" -m pip install --quiet --no-index --no-deps \
        --target "$folder/target" "$wheel"
    got=$(PATH=$folder/bin PYTHONPATH=$folder/target "$environment/bin/python" -c '
import reap, sys
print(reap.__file__, reap.describe(sys.argv[1])["count"])' "$tables.npy")
    [ "$got" = "$folder/target/reap/__init__.py 732" ] || fail "pip install --target: $got"
else
    echo "skipped: reap.describe of a file: the program has no json-c"
fi
rm "$folder/bin/reap"

# README's lines, and the examples of the documentation strings and of docs/python.md, whose kernels
# need a compiler.
if ! "$environment/bin/python" -c "import numpy" 2>/dev/null; then
    echo "the lines of README.md are left out: NumPy is missing"
    exit 0
fi
sed -n '/^```python$/,/^```$/p' "$sources/README.md" | sed '/^```/d' >readme.py
[ -s readme.py ] || fail "no lines of Python in README.md"
PATH=$folder/bin "$environment/bin/python" readme.py || fail "README.md's lines"
for page in reap "$sources/docs/python.md"; do
    "$environment/bin/python" -c '
import doctest, importlib, sys
page = sys.argv[1]
if page.endswith(".md"):
    failed, tried = doctest.testfile(page, module_relative=False)
else:
    failed, tried = doctest.testmod(importlib.import_module(page))
assert tried and not failed, (page, tried, failed)' "$page" || fail "the examples of $page"
done
