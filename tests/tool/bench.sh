#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# `reap bench`: the shape of what it prints, on the host and beside an OpenCL device; JSON and SVG
# as parsers see them; a terminal, and an interrupt there; wrong usage; files that cannot be
# written. Speed is not tested.
# Usage: bench.sh TOOL
# shellcheck source=tests/tool/scripts.sh
. "$(dirname "$0")/scripts.sh"
unset NO_COLOR

# refuses STATUS LINE ARGUMENT...: nothing is measured or printed.
refuses() {
    local status=$1 line=$2
    shift 2
    "$tool" bench "$@" >output 2>errors
    got=$?
    holds "bench $*: $got $(cat output errors)" [ "$got $(cat output errors)" = "$status $line" ]
}

# ---- The command line ------------------------------------------------------------------------

for count in 63 0 -64 x '' 1.5M 64m 1T; do
    refuses 2 \
        "reap bench: --largest: '$count' is not a number of floats, at least 64, such as 16M" \
        --largest "$count"
done
for seconds in 0 -1 x '' inf nan 1e9 0x10 100000; do
    refuses 2 "reap bench: --seconds: '$seconds' is not a time above 0 s, up to 86400 s" \
        --seconds "$seconds"
done
for list in foo '' 'host,' ',host' 'host opencl'; do
    refuses 2 "reap bench: --device: '$list' is not a list of devices; 'reap devices' lists them" \
        --device "$list"
done
for list in opencl:99 cuda:sm_80 cuda:99; do # of the last there may be no driver
    "$tool" bench --device "host,$list" >output 2>errors
    got=$?
    holds "a device that is not there: $list: $(cat errors)" \
        [ "$got $(grep -c '^reap bench: --device: \(opencl\|cuda\)' errors)$(cat output)" = "2 1" ]
done
got=$(REAP_BACKENDS=none "$tool" bench 2>&1)
holds "no device: $got" \
    [ "$got" = "reap: REAP_BACKENDS is 'none', and these backends have no device; 'host' has one" ]
refuses 2 "reap bench: 'host' is one argument too many" host
refuses 2 "reap bench: unrecognized option '--foo'" --foo
mkdir directory
PATH=$work/directory "$tool" bench --svg chart.svg >output 2>errors
got=$?
holds "without gnuplot: $(cat errors)" \
    [ "$got $(cat output errors)" = "1 reap: --svg: gnuplot is not installed" ]
holds "help is readable at 80 columns" \
    [ "$("$tool" bench --help | awk 'length > 80' | wc -l)" = 0 ]

# ---- Pictures that cannot be written ---------------------------------------------------------

has_gnuplot=$(command -v gnuplot || true)
if [ -n "$has_gnuplot" ]; then
    refuses 1 "reap: nowhere/chart.svg: No such file or directory" --svg nowhere/chart.svg
    refuses 1 "reap: directory: is a directory" --svg directory
    refuses 1 "reap: /dev/full: is not a regular file" --svg /dev/full
    refuses 1 "reap: : No such file or directory" --svg ''
else
    echo "skipped: pictures: gnuplot is not installed"
fi

# ---- The table, the chart and the picture, of the host ---------------------------------------

small=(--largest 5000 --seconds 0.1)
echo before >chart.svg
chmod 640 chart.svg
"$tool" bench --device host "${small[@]}" ${has_gnuplot:+--svg chart.svg} >table 2>errors
got=$?
holds "the host is measured: $(cat errors)" [ "$got $(cat errors)" = "0 " ]
number='[0-9]*\.\?[0-9]*'
size='2^[0-9]*  *[0-9]* [KMG]\?i\?B'
rows=$(grep -c "^ *$size  host  *$number [um]\?s  *$number  *$number\$" table)
holds "a row for each size" [ "$rows" = 4 ]
holds "the sizes" [ "$(grep -o "^ *$size" table | tr -s ' ' | tr '\n' ';')" = \
    " 2^6 256 B; 2^8 1 KiB; 2^10 4 KiB; 2^12 16 KiB;" ]
holds "a chart with marks" grep -q '^ *[|+].*o' table
holds "a table and a chart of ASCII" [ "$(LC_ALL=C grep -c '[^ -~]' table)" = 0 ]
holds "the table is readable at 80 columns" [ "$(awk 'length > 80' table | wc -l)" = 0 ]
"$tool" bench --device host "${small[@]}" >/dev/full 2>errors
got=$?
holds "a full disk: $(cat errors)" \
    [ "$got $(cat errors)" = "1 reap: standard output: No space left on device" ]

into_closed_pipe "$tool" bench --device host "${small[@]}" 2>errors
got=$?
holds "a closed pipe: $(cat errors)" \
    [ "$got $(cat errors)" = "1 " ]

# ---- Parsers ---------------------------------------------------------------------------------

python=
for candidate in /usr/bin/python3 python3; do
    [ -n "$python" ] || ! "$candidate" -c 'import json, pty' 2>/dev/null || python=$candidate
done
if [ -z "$python" ]; then
    echo "skipped: JSON, SVG and terminals: python3 is not installed"
    finish 0
fi

if [ -n "$has_gnuplot" ]; then
    holds "the picture is XML with its words in it" "$python" - chart.svg <<'END'
import sys
import xml.etree.ElementTree as tree

root = tree.parse(sys.argv[1]).getroot()
texts = [text for text in root.iter() if text.tag.endswith("text")]
words = " ".join("".join(text.itertext()).strip() for text in texts)
assert root.tag.endswith("svg"), root.tag
for word in ("GB/s", "floats", "bytes", "256 B", "16 KiB", "host"):
    assert word in words, (word, words)
END
    holds "the picture has the mode that the file had" [ "$(stat -c %a chart.svg)" = 640 ]
    holds "nothing is left beside the picture" [ "$(echo chart.svg*)" = chart.svg ]
    cp chart.svg before.svg
    (ulimit -f 1 && "$tool" bench --device host "${small[@]}" --svg chart.svg >output 2>errors)
    got=$?
    holds "a picture that cannot be written: $(cat errors)" \
        [ "$got $(cat errors)" = "1 reap: chart.svg: gnuplot could not write the picture" ]
    holds "the picture is as it was" cmp -s chart.svg before.svg
    holds "nothing is left beside it" [ "$(echo chart.svg*)" = chart.svg ]
fi

devices=$("$tool" devices --names | grep -E '^(host|opencl:0)$' | paste -sd,)
"$tool" bench --device "$devices" "${small[@]}" --json >json 2>errors
status=$?
if grep -q 'built without' errors; then
    holds "without json-c: $(cat errors)" [ $status = 1 ]
else
    holds "JSON of $devices: $status $(cat errors)" "$python" - json "$devices" <<'END'
import json
import sys

names = sys.argv[2].split(",")
with open(sys.argv[1]) as file:
    found = json.load(file)
assert set(found) == {"reap", "machine", "devices", "interrupted", "sizes", "conclusions"}, found
assert set(found["machine"]) == {"name", "system", "release", "architecture", "last_caches_bytes"}
assert [device["name"] for device in found["devices"]] == names
assert not found["interrupted"] and len(found["conclusions"]) == len(names) - 1
assert [size["floats"] for size in found["sizes"]] == [64, 256, 1024, 4096]
for device in found["devices"]:
    assert set(device) == {"name", "description", "instruction_set", "compute_units",
                           "memory_bytes", "read_bytes_per_second", "failed"}, device
    assert device["read_bytes_per_second"] > 0 and not device["failed"]
for size in found["sizes"]:
    assert size["bytes"] == 4 * size["floats"]
    assert [result["device"] for result in size["results"]] == names
    for way in "there", "copied":
        times = {}
        for device, result in zip(found["devices"], size["results"]):
            timing = result[way]
            assert set(timing) == {"seconds", "lower_quartile", "upper_quartile", "turns",
                                   "launches_per_turn", "bytes_per_second",
                                   "share_of_read_bandwidth"}, timing
            assert 0 < timing["lower_quartile"] <= timing["seconds"] <= timing["upper_quartile"]
            assert timing["turns"] >= 3 and timing["launches_per_turn"] >= 1
            speed = size["bytes"] / timing["seconds"]
            assert abs(timing["bytes_per_second"] / speed - 1) < 1e-9
            share = speed / device["read_bytes_per_second"]
            assert abs(timing["share_of_read_bandwidth"] / share - 1) < 1e-9
            times[device["name"]] = timing["seconds"]
        assert times[size["fastest_" + way]] == min(times.values())
END
fi

# ---- A terminal, and an interrupt ------------------------------------------------------------

cat >terminal.py <<'END'
"""Runs a command on a terminal, and interrupts it after the line of its second size.

Which sizes it prints depends on how long they take."""
import os
import pty
import re
import signal
import sys

child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
seen, is_told = b"", False
while True:
    try:
        got = os.read(terminal, 4096)
    except OSError:
        break
    if not got:
        break
    seen += got
    if not is_told and re.search(rb"2\^(8|1\d|20) floats on ", seen):
        os.kill(child, signal.SIGINT)
        is_told = True
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
text = seen.decode()
head, table = text.split("The sum and", 1)
shown = ""
for piece in head.split("\r"):
    shown = piece + shown[len(piece):]
assert status == 130, status
assert shown.strip() == "", ("the line of progress is still there", shown)
assert re.search(r"2\^6 +256 B  host", table) and not re.search(r"2\^28 ", table), table
assert ("\x1b[" in table) == (os.environ.get("NO_COLOR", "") == ""), table
assert ("\u25cf" in table) == ("UTF-8" in os.environ["LC_ALL"]), table
END
# A system without this locale has the characters of ASCII, and is right.
utf8=$(locale -a 2>/dev/null | grep -ixm1 'C.utf-\?8')
for setting in "LC_ALL=${utf8:+C.UTF-8}" "NO_COLOR=1"; do
    holds "an interrupt on a terminal, $setting" env TERM=xterm LC_ALL=C "$setting" \
        "$python" terminal.py "$tool" bench --device host --seconds 600
done

finish 30
