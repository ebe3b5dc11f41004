#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs a Python script with the first Python that has the modules; status 77 where none has.
# Usage: python.sh "MODULE..." SCRIPT [ARGUMENT...]
set -u
read -ra modules <<<"$1"
shift
for python in python3 /usr/bin/python3 /usr/local/bin/python3; do
    if "$python" -c "import $(IFS=,; echo "${modules[*]}")" 2>/dev/null; then
        exec "$python" -B -W ignore "$@"
    fi
done
echo "skipped: no python3 here has all of: ${modules[*]}"
exit 77
