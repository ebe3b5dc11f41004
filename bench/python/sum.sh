#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs a wheel of Reap beside NumPy, Numba and PyTorch from PyPI in a temporary environment,
# runs sum.py there, and removes the environment.
#
# Usage: sum.sh WHEEL [OPTION of sum.py...]
set -eu
[ $# -gt 0 ] || { echo "usage: sum.sh WHEEL [OPTION...]" >&2 && exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
wheel=$1
shift
environment=$(mktemp -d)
trap 'rm -rf "$environment"' EXIT
python3 -m venv "$environment"
"$environment/bin/pip" install --quiet "$wheel" numpy
# Without one of them its column is missing.
for package in numba torch; do
    "$environment/bin/pip" install --quiet "$package" || echo "sum.sh: no $package here" >&2
done
"$environment/bin/python" "$here/sum.py" "$@"
