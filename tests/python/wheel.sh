#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The wheel: its names, what is in it, and that it works in a new environment of Python's without a
# compiler, without and with NumPy, as README.md has it.
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
status=0
wheel=$("$sources/scripts/wheel.sh" "$folder") || status=$?
[ "$status" = 0 ] || { echo "$wheel" && exit "$status"; }
[ -f "$wheel" ] || fail "no wheel: $wheel"
case ${wheel##*/} in
reap-*-cp311-abi3-manylinux_2_*_"$(uname -m)".whl | reap-*-cp311-abi3-linux_*.whl) ;;
*) fail "the wheel's name is ${wheel##*/}" ;;
esac
"$python" "zipfile" -m zipfile -e "$wheel" "$folder/content"
for file in __init__.py _reap.pyi py.typed _reap.abi3.so; do
    [ -f "$folder/content/reap/$file" ] || fail "$file is not in the wheel"
done
[ "$(nm -D --defined-only "$folder/content/reap/_reap.abi3.so" | awk '{ print $3 }')" = \
    PyInit__reap ] || fail "the extension shows more names than that of its module"

# In the environment no program is found but Python.
environment=$folder/environment
for packages in "" --system-site-packages; do
    "$python" "setuptools wheel pip tomllib" -m venv --clear --without-pip \
        ${packages:+"$packages"} "$environment"
    "$python" "setuptools wheel pip tomllib" -m pip --python "$environment/bin/python" install \
        --quiet --no-index --no-deps "$wheel"
    got=$(cd "$folder" && PATH=$folder/bin "$environment/bin/python" -c '
import array, reap, sys
assert reap.__file__.startswith(sys.prefix), reap.__file__
print(reap.sum(array.array("d", [1, 2, 3.5])), reap.devices()[0])')
    [ "$got" = "6.5 host" ] || fail "got: $got"
done

# README's lines, and the examples of the documentation strings.
if ! (cd "$folder" && "$environment/bin/python" -c "import numpy" 2>/dev/null); then
    echo "the lines of README.md are left out: NumPy is missing"
    exit 0
fi
sed -n '/^```python$/,/^```$/p' "$sources/README.md" | sed '/^```/d' >"$folder/readme.py"
[ -s "$folder/readme.py" ] || fail "no lines of Python in README.md"
(cd "$folder" && PATH=$folder/bin "$environment/bin/python" readme.py) || fail "README.md's lines"
for page in reap "$sources/docs/python.md"; do
    (cd "$folder" && PATH=$folder/bin "$environment/bin/python" -c '
import doctest, importlib, sys
page = sys.argv[1]
if page.endswith(".md"):
    failed, tried = doctest.testfile(page, module_relative=False)
else:
    failed, tried = doctest.testmod(importlib.import_module(page))
assert tried and not failed, (page, tried, failed)' "$page") || fail "the examples of $page"
done
