#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The tool as one uses it: what it prints, letter by letter, for the data set and for some generated
# arrays; wrong usage; files that cannot be read; output that cannot be written.
# Usage: commands.sh TOOL MAKE_NPY SOURCE VERSION
# shellcheck source=tests/tool/scripts.sh
. "$(dirname "$0")/scripts.sh"
make_npy=$2 source=$3 version=$4

# expect STATUS OUTPUT ERRORS COMMAND...: the exit status, standard output and standard error.
expect() {
    local status=$1 output=$2 errors=$3 got
    shift 3
    "$@" >output 2>errors </dev/null
    got=$?
    checks=$((checks + 1))
    if [ $got != "$status" ] || [ "$(cat output)" != "$output" ] ||
        [ "$(cat errors)" != "$errors" ]; then
        failed=$((failed + 1))
        printf 'failed: %s\n  status %s, not %s\n' "$*" "$got" "$status"
        diff <(printf '%s' "${output:+$output
}") output
        diff <(printf '%s' "${errors:+$errors
}") errors
    fi
}

# expect_golden NAME COMMAND...: standard output is golden/NAME.txt.
expect_golden() {
    expect 0 "$(cat "$source/tests/tool/golden/$1.txt")" "" "${@:2}"
}

# ---- Blocks ----------------------------------------------------------------------------------

cp "$source"/data/*.npy .
expect_golden data "$tool" describe flight_delays.npy sea_temperatures.npy
"$make_npy" u64 3,5,7 u64.npy 1
"$make_npy" '>i16' 100000 i16.npy 2
"$make_npy" f16 300,200 f16.npy 3
"$make_npy" bool 77 bool.npy 4
expect_golden generated "$tool" describe u64.npy i16.npy f16.npy bool.npy
header='{"descr": "<f8", "fortran_order": False, "shape": (0, 3)}'
printf '\x93NUMPY\x01\x00\x3a\x00%s\n' "$header" >empty.npy
expect_golden empty "$tool" describe empty.npy

# ---- Raw numbers -----------------------------------------------------------------------------

printf '\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\xc0\x7f' >three.f32
expect_golden raw_f32 "$tool" describe --type f32 three.f32
printf 'head\x3f\x80\x00\x00\x40\x00\x00\x00\x7f\xc0\x00\x00' >three.swapped
expect 0 "$(sed 's/three.f32: f32, 3,/three.swapped: f32, 3, big-endian,/' \
    "$source/tests/tool/golden/raw_f32.txt")" "" \
    "$tool" describe --type=f32 --big-endian --offset 4 three.swapped
expect 1 "" "reap: three.f32: byte 8: the last element has 4 of 8 bytes" \
    "$tool" describe --type f64 three.f32
printf a >one.u8
"$tool" describe --type u8 one.u8 >output
holds "a byte in the singular" [ "$(head -n 1 output)" = "one.u8: u8, 1, 1 byte" ]
expect 1 "" "reap: three.f32: byte 12: the file ends before --offset 13" \
    "$tool" describe --type u8 --offset 13 three.f32
: >nothing
expect 1 "" "reap: nothing: is empty" "$tool" describe nothing
printf 'neither\0this\0nor\0that' >strange
expect 1 "" "reap: strange: unknown file format (for raw numbers give their type: \
--type f32)" "$tool" describe strange
for type in bool i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128; do
    holds "--type $type takes an empty file" "$tool" describe --type $type nothing >/dev/null
done
printf '\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00\x00\x00\x00\x80' >two.raw
"$tool" describe --type i64 two.raw | grep -q '^  sum  *-9223372036854775809$'
holds "a sum beyond 64 bits, of signed numbers" [ $? = 0 ]
"$tool" describe --type u64 two.raw | grep -q '^  sum  *27670116110564327423$'
holds "a sum beyond 64 bits, of unsigned numbers" [ $? = 0 ]
large='\x03\x93\x00\xaa\x4b\xdd\x6d\x7e' one='\x00\x00\x00\x00\x00\x00\xf0\x3f' # 1e301
larger='\xa0\xc8\xeb\x85\xf3\xcc\xd1\x7f\xa0\xc8\xeb\x85\xf3\xcc\xd1\xff' # 5e307, -5e307
for case in "$large 1e+301 1e+301" "$one$large 1e+301 5e+300" "$large$one 1e+301 5e+300" \
    "$larger$one 1 0.3333333333333333"; do
    read -r bytes sum mean <<<"$case"
    printf "$bytes" >large.f64
    expect 0 "$(printf '  sum                 %s\n  mean                %s' "$sum" "$mean")" "" \
        bash -c '"$1" describe --type f64 large.f64 | grep -E "^  (sum|mean) "' _ "$tool"
done

# Three blocks of 2^17 equal numbers each: 1e12, 0.1, -1e12. What is rounded when the first two are
# merged is not lost.
: >blocks.f64
for bytes in '\x00\x00\x00\xa2\x94\x1a\x6d\x42' '\x9a\x99\x99\x99\x99\x99\xb9\x3f' \
    '\x00\x00\x00\xa2\x94\x1a\x6d\xc2'; do
    printf "$bytes" >block.f64
    for ((doubled = 0; doubled < 17; doubled++)); do
        cat block.f64 block.f64 >twice.f64
        mv twice.f64 block.f64
    done
    cat block.f64 >>blocks.f64
done
for threads in 1 3; do
    expect 0 "  sum                 13107.2" "" env REAP_NUM_THREADS=$threads \
        bash -c '"$1" describe --type f64 blocks.f64 | grep "^  sum "' _ "$tool"
done

# Numbers that begin as compressed streams do.
hint=" (numbers that are not compressed: put a byte before them, and skip it by --offset)"
for case in '\x28\xb5\x2f\xfdabcdefgh zstd' '\x50\x2a\x4d\x18\xff\xff\0\0 zstd' \
    '\x1f\x8b\x08abcdefgh gzip'; do
    read -r bytes method <<<"$case"
    printf "$bytes" >magic.u8
    "$tool" describe --type u8 magic.u8 >output 2>errors
    holds "numbers that begin as $method does are not described" [ "$? $(cat output)" = "1 " ]
    "$tool" describe --type u8 - < <(cat magic.u8) >output 2>errors.pipe
    holds "nor through a pipe" [ "$? $(cat output)" = "1 " ]
    holds "and they are said to be damaged: $(cat errors)" cmp -s errors \
        <(sed 's/^reap: -/reap: magic.u8/' errors.pipe)
    holds "with what to do: $(cat errors)" grep -qE "$method: .*${hint//[()]/.}\$|built without" \
        errors
    holds "which is right" [ "$( (printf x && cat magic.u8) |
        "$tool" describe --type u8 --offset 1 - |
        grep -c "^  count  *$(wc -c <magic.u8)\$")" = 1 ]
done
if command -v gzip >/dev/null; then
    for bytes in 11 1000 20000; do
        gzip <i16.npy | head -c $bytes >short.gz
        "$tool" describe --type u8 short.gz >output 2>errors
        holds "a truncated stream is not one of numbers" [ "$? $(cat output)" = "1 " ]
        holds "and is said to be: $(cat errors)" grep -qE 'gzip: the stream ends early|without' \
            errors
    done
fi

# Text in UTF-16, with a byte order mark and without one, and other bytes with zeros.
units='a\0,\0b\0\n\0001\0,\0002\0\n\0'
for case in "UTF-16LE $units" "UTF-16BE \\0${units%\\0}" "UTF-16 \\377\\376$units" \
    "UTF-16 \\376\\377\\0${units%\\0}" 'UTF-16 \377\376' 'UTF-16LE 1\0002\0'; do
    printf "${case#* }" >sheet.csv
    expect 1 "" "reap: sheet.csv: is text in ${case%% *} \
(iconv -f ${case%% *} -t UTF-8 converts it)" "$tool" describe sheet.csv
done
! command -v iconv >/dev/null ||
    holds "what is said converts it" [ "$(iconv -f UTF-16LE -t UTF-8 sheet.csv)" = 12 ]
for bytes in 'a\0' 'a\0\0\0b\0\0\0' '\377\376\0\0a\0\0\0' 'a\0\1\0b\0c\0'; do
    printf "$bytes" >sheet.csv
    expect 1 "" "reap: sheet.csv: unknown file format (for raw numbers give their type: \
--type f32)" "$tool" describe sheet.csv
done

# ---- Shapes, and standard input ---------------------------------------------------------------

"$make_npy" f64 50,4 shaped.npy 5
tail -c 1600 shaped.npy >shaped.raw
for axis in 0 1; do
    holds "raw numbers of a shape along axis $axis" diff \
        <("$tool" describe --csv --axis $axis shaped.npy | sed s/shaped.npy//) \
        <("$tool" describe --csv --axis $axis --type f64 --shape 50x4 shaped.raw |
            sed s/shaped.raw//)
done
holds "raw numbers of a shape through a pipe" diff \
    <("$tool" describe shaped.npy | sed s/shaped.npy/-/) \
    <("$tool" describe --type f64 --shape 50,4 - < <(cat shaped.raw))
expect 1 "" "reap: shaped.raw: byte 1600: the file ends 400 bytes before its array does" \
    "$tool" describe --type f64 --shape 50x5 shaped.raw
expect 1 "" "reap: shaped.raw: byte 1568: the array is followed by 32 bytes" \
    "$tool" describe --type f64 --shape 49x4 shaped.raw
printf '' >none.raw
for shape in 0 0x4 4x0; do
    holds "a shape without elements: $shape" [ "$("$tool" describe --type f64 --shape $shape \
        none.raw | head -n 3 | tr -d '\n')" = \
        "none.raw: f64, ${shape//x/ x }, 0 bytes  count               0  NaN                 0" ]
done
expect 1 "" "reap: shaped.raw: byte 0: the array is followed by 1600 bytes" \
    "$tool" describe --type f64 --shape 0x4 shaped.raw
for shape in "" x 3x 3y4 99999999999x99999999999 0x99999999999x99999999999 -1; do
    expect 2 "" "reap describe: --shape: '$shape' is not a shape, such as 61x12" \
        "$tool" describe --type f64 --shape "$shape" shaped.raw
done
expect 2 "" "reap describe: --big-endian, --offset and --shape are for raw numbers; add --type" \
    "$tool" describe --shape 50x4 shaped.raw
"$tool" describe - <shaped.npy >expected
holds "a file as standard input" diff expected <("$tool" describe <shaped.npy)
holds "a pipe as standard input" diff expected <(cat shaped.npy | "$tool" describe)

# ---- Lists -----------------------------------------------------------------------------------

printf '# logged\nt;x;"a\nb";n\n1;2,5;true;k\n2;;false;l\n' >listed.csv
expect 0 'listed.csv: table, 4 columns, separated by semicolons, header, decimal commas, '\
'comments after #
       1  i64      t
       2  f64      x
       3  bool     a\012b
       4  text     n
shaped.npy: f64, 50 x 4, 1.56 KiB' "" "$tool" describe --list listed.csv shaped.npy
printf 'a,b\nc,d\n' >words.csv
expect 0 "words.csv: table, 2 columns, separated by commas, header
       1  text     a
       2  text     b" "" "$tool" describe --list words.csv
holds "a list of a pipe" [ "$(head -c 80 shaped.raw | "$tool" describe --list --type f64)" = \
    "-: f64, to the end of the pipe" ]
expect 2 "" "reap describe: --list is text; it excludes --json, --csv and --tsv" \
    "$tool" describe --list --json shaped.npy

# ---- Columns of text -------------------------------------------------------------------------

printf 'a\n1\n' >one.csv
{
    printf 'city,n,"a ""b"""\n'
    for row in $(seq 400); do echo "city $((row * row % 7)),$row,$((row % 3 == 0 ? 0 : 1))x"; done
    printf ',1,"say ""x"""\nNA,2,1x\n'
} >cities.csv
expect 0 '  text     missing   distinct  most frequent
  city           2          4  city 1 (115), city 2 (114), city 4 (114)
  a "b"          0          3  1x (268), 0x (133), say "x" (1)' "" \
    bash -c '"$1" describe --distinct cities.csv | tail -n 3' _ "$tool"
holds "an array in JSON, also if there are none" [ "$("$tool" describe --json --distinct one.csv |
    grep -oE '"distinct": *\[ *\]' | tr -d ' ')" = '"distinct":[]' ]
holds "only with --distinct" [ "$("$tool" describe --json cities.csv | grep -c distinct)" = 0 ]
printf 'a,b\nx,\ny,z\n' >words.csv
expect 0 'words.csv: 2 rows, 2 columns, 2 of text
  text    missing   distinct  most frequent
  a             0          2  x (1), y (1)
  b             1          1  z (1)' "" "$tool" describe --distinct words.csv
holds "no records of columns of text" \
    [ "$("$tool" describe --distinct --csv words.csv | wc -l)" = 1 ]
twice="is read twice for --by and --distinct, which needs a file with a name, \
not a pipe or standard input"
expect 1 "" "reap: -: $twice" bash -c '"$1" describe --distinct - < <(cat words.csv)' _ "$tool"
expect 1 "" "reap: -: $twice" bash -c '"$1" describe --by t <listed.csv' _ "$tool"

# ---- Options for other files ---------------------------------------------------------------------

for option in --by=x --columns=x --missing=3 --distinct --separator=, --no-header --comment=//; do
    name=${option%%=*}
    expect 1 "" "reap: shaped.npy: $name is for tables, and this is an array" \
        "$tool" describe "$option" shaped.npy
done
expect 1 "" "reap: -: --by is for tables, and this is an array" \
    bash -c '"$1" describe --by x --type u8 - < <(yes)' _ "$tool" # it does not read on
expect 1 "" "reap: one.csv: --axis is for arrays, and this is a table" \
    "$tool" describe --axis 0 one.csv

# ---- Columns that are text at first --------------------------------------------------------------

awk 'BEGIN {
    print "a,late,x"
    for (i = 0; i < 200000; i++) print "t" i "," (i < 150000 ? "none yet" : i) "," i
}' >late.csv
for name in a late; do
    holds "a column of text in the first megabyte is named: $name" \
        grep -qE "^  $name: left out: text in its first [0-9]+ cells, row 1 has '(t0|none yet)'\$" \
        <("$tool" describe late.csv)
done
holds "such columns in JSON" [ "$("$tool" describe --json late.csv |
    grep -oE '"left_out": *\[[^]]*' | grep -o '"name": *"[a-z]*"' | tr -d ' \n')" = \
    '"name":"a""name":"late"' ]
awk 'BEGIN {
    print "half,x"
    for (i = 0; i < 200000; i++) print (i % 2 ? 12345 : "odd55") ",12345"
}' >half.csv
holds "a column of which half of the first cells are numbers" grep -qx \
    "  half: left out: 43690 of the first 87380 cells are numbers, row 1 has 'odd55'" \
    <("$tool" describe half.csv)
head -n 1000 late.csv >early.csv
holds "no column of a table that was read whole is" [ "$("$tool" describe early.csv |
    grep -c 'left out')" = 0 ]

# ---- Missing values ----------------------------------------------------------------------------

# Whether a median is printed depends on the count of numbers, not on the order of rows.
rows() {
    yes "$1" | head -n "$2"
}
for cell in NA x; do
    for order in "rows 1 320000; rows $cell 280000" \
        "rows 1 40000; rows 1$'\n'$cell 560000" "rows $cell 10; rows 1 524288" \
        "rows 1 524288; rows $cell 10"; do
        eval "$order" >rows.csv
        holds "a median of numbers: $order" [ "$("$tool" describe --columns 1 --csv rows.csv |
            cut -d, -f16)" = "median
1" ]
    done
    eval "rows 1 524289; rows $cell 10" >rows.csv
    holds "none of too many" [ "$("$tool" describe --columns 1 --csv - <rows.csv |
        cut -d, -f16)" = median ]
done
printf 'a,x,x\n-9,1,-9\n1,=,-9\n' >twice.csv
expect 1 "" "reap: twice.csv: has no column 'b', but 3: a, x, x" \
    "$tool" describe --missing a=1,b=-9 twice.csv
expect 1 "" "reap: twice.csv: has 2 columns 'x': choose @2, @3" \
    "$tool" describe --missing x=-9 twice.csv
holds "one column's missing value, and a word" [ "$("$tool" describe --csv --missing a=-9,= \
    twice.csv | cut -d, -f3,5-7 | tr '\n' ' ')" = \
    "name,count,missing,text a,2,1,0 x,2,1,0 x,2,0,0 " ]

{
    printf 't,"a,b",c=d,x,x,@7,y\n'
    for row in 1 2 3 4 5; do printf 'k,%s,%s,%s,%s,%s,%s\n' $row $row $row $row $row $row; done
    printf 'k,-999,-999,-999,-999,-999,-999\n'
} >sentinels.csv
"$tool" describe sentinels.csv | grep -o -- '--missing [^ ]*' >output
holds "columns that --missing cannot name have numbers: $(cat output)" \
    [ "$(sed 's/--missing //' output | tr '\n' ' ')" = \
    "@2=-999 @3=-999 @4=-999 @5=-999 @6=-999 y=-999 " ]
while read -r option suggested; do
    holds "what is suggested is taken: $suggested" [ "$("$tool" describe --csv "$option" \
        "$suggested" sentinels.csv | cut -d, -f 1-8 | grep -c ',6,1,')" = 1 ]
done <output
holds "a number with @ has precedence over a name" [ "$("$tool" describe --csv --columns @6,@7 \
    --missing @7=-999 sentinels.csv | cut -d, -f 3,6 | tr '\n' ' ')" = "name,missing @7,0 y,1 " ]
printf 'g,@1,3\nk,1,2\nk,3,4\n' >numbered.csv
holds "also in --by" [ "$("$tool" describe --csv --by @1 --columns 3,2 numbered.csv |
    cut -d, -f 3,4,6 | tr '\n' ' ')" = "name,group,count @1,k,2 3,k,2 " ]
printf 'g,@4\nk,1\n' >numbered.csv
expect 1 "" "reap: numbered.csv: has no column '@4', but 2: g, @4" \
    "$tool" describe --columns @4 numbered.csv
expect 1 "" "reap: sentinels.csv: has no column '@8', but 7: t, a,b, ..." \
    "$tool" describe --missing @8=-999 sentinels.csv

# ---- Decimal commas ----------------------------------------------------------------------------

printf 'x;y\n1,234;5\n2,345;6\n' >commas.csv
printf 'x\ty\n1,234\t5\n2,345\t6\n' >tabs.csv
printf 'x\ty\n1,234\t5,678\n' >text.csv
holds "decimal commas that might separate thousands are pointed out" \
    [ "$("$tool" describe commas.csv | head -n 1)" = \
    "commas.csv: 2 rows, 2 columns, 1,234 read as 1.234 (thousands: --decimal .)" ]
holds "so is text that might have decimal commas" \
    [ "$("$tool" describe tabs.csv | head -n 1)" = \
    "tabs.csv: 2 rows, 2 columns, 1 of text, 1,234 read as text (1.234: --decimal ,)" ]
for decimal in . ,; do
    holds "not with --decimal $decimal" [ "$("$tool" describe --decimal $decimal commas.csv |
        grep -c 1,234)" = 0 ]
done
expect 1 "" "reap: text.csv: has no numbers (decimal commas? --decimal ,)" \
    "$tool" describe text.csv
printf 'a,b\n"1,5","2,5"\n"3,5",4\n' >quoted.csv
for list in "" "--decimal ," "--separator , --decimal ,"; do
    read -ra list <<<"$list"
    holds "decimal commas in quotes: ${list[*]}" [ "$("$tool" describe --csv "${list[@]}" \
        quoted.csv | cut -d, -f 3,15 | tr '\n' ' ')" = "name,mean a,2.5 b,3.25 " ]
done

# More than a megabyte shows nothing; then a column has decimal commas.
{
    printf 't;late;few;thousands\n'
    rows '1;;0;1,000' 600000
    rows '2;0,5;0;1,234' 1000
    printf '3;1,5;2,5;1,234,567\n'
} >marks.csv
# The point of a word is not a decimal one.
printf 'x;y\n1,5;1\n2,5;2\n1.#INF;3\n-1.#IND;4\n' >words.csv
holds "decimal commas beside 1.#INF" \
    [ "$("$tool" describe words.csv | grep -cE '^ *minimum +1\.5 +1$')" = 1 ]
# An element of the first pivot is much larger than all others; and the first finite one is. So are
# they where squares are too small for a double.
for first in 78 $'nan\n78'; do
    for exponent in 0 -200; do
        awk -v first="$first" -v e="e$exponent" 'BEGIN {
            print "x\n" first e
            for (i = 1; i < 2048; i++) print "0.00014235" e
        }' >outlier.csv
        holds "the sum beside an outlier: $first $exponent" \
            [ "$("$tool" describe outlier.csv | grep -cE '^ *sum +7\.?8\.?291390450000')" = 1 ]
    done
done
commas="(decimal commas? --decimal ,)" points="(decimal points? --decimal .)"
expect 0 "
  thousands: 1 cell is not a number, the first: row 601001 has '1,234,567' $points" "" \
    bash -c '"$1" describe --no-histogram marks.csv | tail -n 2' _ "$tool"
expect 0 "
  few: 1 cell is not a number, the first: row 601001 has '2,5' $commas
  late: left out: 0 of 1001 cells are numbers, row 600001 has '0,5' $commas" "" \
    bash -c 'cut -d";" -f1-3 marks.csv | "$1" describe - | tail -n 3' _ "$tool"
expect 1 "" "reap: -: column 'late' is text: row 600001 has '0,5' $commas" \
    bash -c 'cut -d";" -f1-2 marks.csv | "$1" describe --columns late -' _ "$tool"
cut -d';' -f1-2 marks.csv | sed 's/^[123];/k;/' >late.csv
expect 1 "" "reap: late.csv: has no numbers $commas" "$tool" describe late.csv
holds "the mark in JSON" [ "$(cut -d';' -f1-3 marks.csv | "$tool" describe --json - |
    grep -o '"text_other_decimal": *[0-9]*' | tr -d ' \n')" = \
    '"text_other_decimal":1001"text_other_decimal":1' ]
printf 'k;x;y\na;1,5;2.5\nb;1,5;2.5\n' >marks.csv
expect 0 "
  x: left out: 0 of 2 cells are numbers, row 1 has '1,5' $commas" "" \
    bash -c '"$1" describe marks.csv | tail -n 2' _ "$tool"
expect 0 "
  x: left out: 0 of 2 cells are numbers, row 1 has '1,5' $commas" "" \
    bash -c '"$1" describe --by k marks.csv | tail -n 2' _ "$tool"
holds "no hint after --decimal" \
    [ "$("$tool" describe --decimal . marks.csv | grep -c decimal)" = 0 ]

# ---- Odd cells -------------------------------------------------------------------------------

{
    printf 'f,n\n'
    for row in $(seq 20); do echo "true,$row"; done
    printf '7,8\n'
} >odd.csv
expect 0 "
  f: 1 cell is not a boolean, the first: row 21 has '7'" "" \
    bash -c '"$1" describe odd.csv | tail -n 2' _ "$tool"

printf 'a\ntrue\n1\n0\n' >mixed.csv
expect 1 "" "reap: mixed.csv: has no column of numbers; in 'a' 1 of 3 cells are booleans, and \
row 2 has '1' (--columns describes it)" "$tool" describe mixed.csv
printf 'a,b\ntrue,1\n"say ""hi""",2\n' >mixed.csv
expect 0 "
  a: left out: 1 of 2 cells are booleans, row 2 has 'say \"hi\"'" "" \
    bash -c '"$1" describe mixed.csv | tail -n 2' _ "$tool"

# ---- Groups ----------------------------------------------------------------------------------

printf 'k,t,e\n1,x,\n2,y,\n' >keyed.csv
expect 1 "" "reap: keyed.csv: has no numbers beside the column of --by" \
    "$tool" describe --by k keyed.csv
expect 1 "" "reap: keyed.csv: --columns has only the column of --by" \
    "$tool" describe --by k --columns k keyed.csv
expect 1 "" "reap: keyed.csv: has no numbers in the columns of --columns" \
    "$tool" describe --columns e keyed.csv

printf 'k;v\n2;1\n10,5;2\n-0,5;3\n100;4\n;5\n' >sorted.csv
if "$tool" describe --json sorted.csv >output 2>&1; then # else without json-c
    {
        printf 'k,v\n'
        for row in $(seq 20); do printf 'a,%s\nb,%s\n' "$row" "$row"; done
        printf 'a,x\nb,y\n'
    } >odd.csv
    holds "an odd cell whose text was not kept" [ "$("$tool" describe --json --by k odd.csv |
        grep -o '"text_first": [^,]*' | tr '\n' ' ')" = \
        '"text_first": "x" "text_first": null ' ]
fi
holds "groups are sorted as the table's numbers" [ "$("$tool" describe --tsv --by k sorted.csv |
    cut -f4 | tr '\n' ' ')" = "group -0,5 2 10,5 100  " ]

# ---- Rows and records -------------------------------------------------------------------------

cp "$source"/data/*.csv .
expect_golden rows "$tool" describe sea_temperatures.csv
expect_golden rows "$tool" describe --transpose --digits 6 sea_temperatures.csv
expect_golden records bash -c '"$@" --columns JAN,JUL sea_temperatures.csv &&
    "$@" flight_delays.npy | sed 1d' _ "$tool" describe --csv --digits 5 --quantiles 0.5
printf 'a~b,"c, ""d"""\n1.5,\n2.25,3\n' >named.csv
expect 0 'named.csv,,a~b,f64,2,0,0,0,0,1.5,1,2.25,2,3.75,1.875,1.875,0.5303300858899106,
named.csv,,"c, ""d""",i64,2,1,0,0,0,3,2,3,2,3,3,3,,' "" \
    bash -c '"$1" describe --csv named.csv | sed 1d' _ "$tool"
holds "tabs separate the same values" diff <("$tool" describe --tsv sea_temperatures.csv) \
    <("$tool" describe --csv sea_temperatures.csv | tr ',' '\t')
"$tool" describe --no-transpose sea_temperatures.csv >output
holds "columns side by side: $(sed -n 2p output)" [ "$(grep -c '^  count ' output)" = 5 ]
printf '%0100d,b\n1,2\n' 0 | "$tool" describe --header --transpose - >output
holds "a long name is cut: $(sed -n 3p output)" \
    [ "$(grep -cE '^  0{20,}~  ' output) $(awk 'length > 80' output | wc -l)" = "1 0" ]
printf 'a,b\nx,y\nz,w\n' >words.csv
holds "records have as many cells as the header" [ "$("$tool" describe --csv --distinct \
    --quantiles 0.5,0.1 words.csv named.csv | sed 's/"[^"]*"//g' | tr -dc ',\n' | sort -u |
    wc -l)" = 1 ]
for options in "--csv --json" "--json --tsv" "--csv --tsv" "--tsv --csv"; do
    read -ra list <<<"$options"
    expect 2 "" "reap describe: --json, --csv and --tsv exclude each other" \
        "$tool" describe "${list[@]}" named.csv
done
for digits in 0 18 x "" 100; do
    expect 2 "" "reap describe: --digits: '$digits' is not a number from 1 to 17" \
        "$tool" describe --digits "$digits" named.csv
done

# ---- Names of columns ------------------------------------------------------------------------

printf '"two\nlines","\303\244%s"\n1,2\n' "$(printf '%080d' 0)" >names.csv
"$tool" describe names.csv | sed -n 2p >output
holds "a column's name is cut, and has no control characters: $(cat output)" \
    [ "$(grep -c "^  *two\\\\012lines  $(printf '\303\244%039d' 0)\.\.\.$" output)" = 1 ]
expect 1 "" "reap: names.csv: has no column 'a\\033b', but 2: two\\012lines, $(
    printf '\303\244%080d' 0)" "$tool" describe --columns $'a\033b' names.csv

printf 'a,x,b,x,3,3,x,x,x\n1,2,3,4,5,6,7,8,9\n1,2,3,4,5,6,7,8,9\n' >twice.csv
expect 1 "" "reap: twice.csv: has 5 columns 'x': choose @2, @4, @7, @8, ..." \
    "$tool" describe --columns a,x twice.csv
expect 1 "" "reap: twice.csv: has 2 columns '3': choose @5, @6" \
    "$tool" describe --columns 3 twice.csv
for list in a @1,2 4,@4 @5,@6 7,8; do
    holds "columns by numbers: $list" \
        [ "$("$tool" describe --columns $list twice.csv | grep '^  mean' | tr -dc '1-9')" = \
        "$(tr a 1 <<<"$list" | tr ',' '\n' | tr -d @ | uniq | tr -d '\n')" ]
done
for word in @0 @10 @ @x @-1 0 10 @1x; do
    expect 1 "" "reap: twice.csv: has no column '$word', but 9: a, x, ..." \
        "$tool" describe --columns "$word" twice.csv
done

# ---- Integers that need 64 bits, or more ------------------------------------------------------

# figures LABEL...: these lines of the output, without blanks beside one another.
figures() {
    for label; do
        sed -n "s/^  $label  */$label /p" output | tr -s ' '
    done
}
cat >integers.csv <<'END'
a,b,c,d
18446744073709551615,-1,18446744073709551616,9223372036854775807
9223372036854775808,18446744073709551615,1,9223372036854775808
0,5,2,2.5
END
COLUMNS=200 "$tool" describe integers.csv >output
holds "columns that lose digits are reported: $(head -n 1 output)" \
    [ "$(head -n 1 output)" = "integers.csv: 3 rows, 4 columns, 2 of integers rounded to f64" ]
holds "integers up to 2^64 - 1 are exact: $(figures maximum minimum sum)" \
    [ "$(figures maximum minimum sum | cut -d ' ' -f 1,2)" = "maximum 18446744073709551615
maximum 1.8446744073709552e+19
minimum 0
minimum 1
sum 27670116110564327423
sum 1.8446744073709552e+19" ]
if "$tool" describe --json integers.csv >output 2>/dev/null; then
    holds "JSON has their type" [ "$(grep -oE '"(type|rounded)": [^,]*' output)" = '"type": "u64"
"type": "f64"
"rounded": true
"type": "f64"
"rounded": true
"type": "f64"' ]
fi
# Blocks of a column that differ: of int64_t or uint64_t, both without a type for all, and reals.
{
    echo a,b,c
    seq 1 100000 | sed 's/$/,7,8/'
    echo 18446744073709551615,-7,18446744073709551615
    echo 9223372036854775808,18446744073709551615,0.5
} >blocks.csv
"$tool" describe --no-histogram --quantiles 0,0.5,1 blocks.csv >output
holds "of several blocks: $(cat output)" \
    [ "$(head -n 1 output
        figures minimum maximum 'quantile 0' 'quantile 0.5' 'quantile 1'
        figures sum | head -n 1)" = \
    "blocks.csv: 100002 rows, 3 columns, 1 of integers rounded to f64
minimum 1 -7
minimum 0.5
maximum 18446744073709551615 1.8446744073709552e+19
maximum 1.8446744073709552e+19
quantile 0 1 -7
quantile 0 0.5
quantile 0.5 50001.5 7
quantile 0.5 8
quantile 1 18446744073709551615 1.8446744073709552e+19
quantile 1 1.8446744073709552e+19
sum 27670116115564377423 1.844674407371025e+19" ]
"$tool" describe --json --histogram --columns a blocks.csv >output 2>/dev/null &&
    holds "a histogram of them: $(cat output)" \
        grep -q '"counts": \[ 100000, 0, .*, 1, .*, 1 \]' output

# edges TYPE FILE: the edges of the bins in JSON.
edges() {
    "$tool" describe --json --histogram --type "$1" "$2" |
        sed 's/.*"edges": \[ *\([^]]*[^] ]\) *\].*/\1/'
}
for byte in fe fd ff; do printf '\x'$byte'\xff\xff\xff\xff\xff\xff\xff'; done >largest.u64
{
    printf '\x00\x00\x00\x00\x00\x00\x00\x80'
    printf '\xff\xff\xff\xff\xff\xff\xff\x7f'
} >ends.i64
{
    printf '\x00\x00\xaa\x3c\x9a\xb1\x0b\x18' # in nanoseconds
    printf '\xe7\x03\xaa\x3c\x9a\xb1\x0b\x18' # and 999 of these later
} >times.i64
"$tool" describe --histogram --type u64 largest.u64 | grep ' %$' >output
holds "integers beyond 2^53 have their own bins: $(cat output)" \
    [ "$(awk '{ printf "%s ", $1 }' output)" = \
    "18446744073709551613 18446744073709551614 18446744073709551615 " ]
"$tool" describe --histogram --type i64 times.i64 >output
holds "bins of integers beyond 2^53 have edges that differ: $(cat output)" \
    [ "$(grep -c ' %$' output) $(grep -oE '^  17[0-9]{17}' output | sort -u | wc -l)" = "20 21" ]
printf '\x00\x00\x00\x00\x00\x00\xf0\x7f\x00\x00\x00\x00\x00\x00\x00\x80' >zero.f64
if "$tool" describe --json --type u64 largest.u64 >output 2>/dev/null; then
    holds "edges in JSON have all digits: $(edges u64 largest.u64)" \
        [ "$(edges u64 largest.u64)" = "18446744073709551613, 18446744073709551614, \
18446744073709551615, 18446744073709551616" ]
    holds "from the least integer on: $(edges i64 ends.i64)" [ "$(edges i64 ends.i64 |
        cut -d , -f 1,2,11,21)" = \
        "-9223372036854775808, -8301034833169298227, 2, 9223372036854775812" ]
    holds "edges are never -0: $(edges f64 zero.f64)" [ "$(edges f64 zero.f64)" = "0, 0" ]
fi

# ---- Tables that begin late, or have long rows -------------------------------------------------

printf 'last\n7\n8\n9\n' >short.csv
{
    printf 'column%0100d,' {1..20000}
    echo last
    for row in 7 8 9; do
        printf '%d,' {1..20000}
        echo $row
    done
} >wide.csv
expect 0 "$("$tool" describe short.csv | sed '1s/.*/wide.csv: 3 rows, 20001 columns/')" "" \
    "$tool" describe --columns last wide.csv
printf 'a,b\n1,2\n3,4\n' >short.csv
for mark in '' $'\xef\xbb\xbf'; do
    for blank in '' $' \r' $'\t'; do
        {
            printf '%s' "$mark"
            yes "$blank" | head -n 1500000
            cat short.csv
        } >late.csv
        expect 0 "$("$tool" describe short.csv | sed s/^short/late/)" "" "$tool" describe late.csv
        [ "$blank" = $'\t' ] && continue # of such rows, and uneven ones, tabs make the most
        echo 5 >>late.csv
        expect 1 "" "reap: late.csv: line 1500004: the row has 1 cell, not 2" \
            "$tool" describe late.csv
    done
done

# ---- What a terminal obeys --------------------------------------------------------------------

# Names with a byte that is a control character in sets of 8 bits, with such characters in UTF-8,
# and with marks of direction. What is printed of them is what is written here, and in JSON what is
# beside it.
utf8=$(locale -a 2>/dev/null | grep -ixm1 'C.utf-\?8')
json=$("$tool" describe --json u64.npy 2>/dev/null)
while read -r shown in_json; do
    name=$(printf "%b" "${shown//\\/\\0}")
    printf '%s,c\n1,2\n' "$name" >"$name.csv"
    printf 'x\n1\n' >x.csv
    for locale in C ${utf8:+"$utf8"}; do
        export LC_ALL=$locale
        "$tool" describe "$name.csv" >output 2>&1
        holds "the name of a file, $locale: $shown" \
            [ "$(head -n 1 output)" = "$shown.csv: 1 row, 2 columns" ]
        holds "the name of a column, $locale: $shown" \
            [ "$(sed -n 2p output | tr -d ' ')" = "${shown}c" ]
        expect 1 "" "reap: $shown: No such file or directory" "$tool" describe "$name"
        expect 1 "" "reap: x.csv: has no column '$shown', but 1: x" \
            "$tool" describe --columns "$name" x.csv
        expect 2 "" "reap describe: --type: '$shown' is not a type; --help lists them" \
            "$tool" describe --type "$name" x.csv
        expect 2 "" "reap describe: unrecognized option '--$shown'" \
            "$tool" describe "--$name" x.csv
        expect 2 "" "reap: '$shown' is not a command; 'reap --help' lists them" "$tool" "$name"
    done
    export LC_ALL=C
    [ -z "$json" ] || holds "in JSON: $shown" \
        grep -qF "\"name\": \"$in_json\"" <("$tool" describe --json "$name.csv")
done <<'END'
\233 �
\200 �
\237 �
\177 \u007f
\302\233 \u009b
\302\200 \u0080
\302\237 \u009f
\330\234 \u061c
\342\200\216 \u200e
\342\200\217 \u200f
\342\200\252 \u202a
\342\200\256 \u202e
\342\201\246 \u2066
\342\201\251 \u2069
END
# A letter has such a byte: it is printed where the locale has the letter.
printf '\320\233,c\n1,2\n' >letter.csv
holds "a letter in C" \
    [ "$("$tool" describe letter.csv | sed -n 2p | tr -d ' ')" = "$(printf '\320\\233c')" ]
[ -z "$utf8" ] || holds "a letter in UTF-8" [ "$(printf '\320\233c')" = \
    "$(LC_ALL=$utf8 "$tool" describe letter.csv | sed -n 2p | tr -d ' ')" ]

# ---- Streams ---------------------------------------------------------------------------------

mkfifo pipe
cat u64.npy >pipe &
"$tool" describe u64.npy | sed 's/^u64.npy:/pipe:/' >expected
holds "a pipe says what the file says" cmp -s expected <("$tool" describe pipe)
wait
sed -i 's/^pipe:/-:/' expected
holds "so does standard input" cmp -s expected <("$tool" describe - <u64.npy)
expect 1 "" "reap: -: byte 888: the file ends 80 bytes before its array does" \
    bash -c 'head -c 888 u64.npy | "$1" describe -' _ "$tool"
expect 1 "" "reap: -: byte 968: the array is followed by further bytes" \
    bash -c 'cat u64.npy three.f32 | "$1" describe -' _ "$tool"
expect 1 "" "reap: -: byte 8: the last element has 4 of 8 bytes" \
    bash -c 'cat three.f32 | "$1" describe --type f64 -' _ "$tool"
"$make_npy" u8 20000000 random.npy 9 # so that more than one thread reads
# A process of which every thread sleeps has read what was written into its pipe.
sleeps() {
    local states
    states=$(sed 's/.*) \(.\).*/\1/' "/proc/$1/task"/*/stat)
    [ -n "$states" ] && [ -z "${states//[S$'\n']/}" ]
}
mkfifo endless
# interrupt STATEMENT ARGUMENT...: describes with these arguments; standard input is a pipe that has
# the bytes of the function's own standard input, and stays open. Interrupts the tool once it waits
# for more bytes.
interrupt() {
    local statement=$1 reader got
    shift
    env --default-signal=INT "$tool" describe "$@" <endless >output 2>errors &
    reader=$!
    exec 7>endless
    cat >&7
    holds "the tool waits for more: $statement" comes sleeps $reader
    kill -INT $reader
    wait $reader
    got=$?
    exec 7>&-
    holds "an interrupt has its own status: $statement: $(cat errors)" [ $got = 130 ]
}
# interrupt_says LINE STATEMENT ARGUMENT...: the same; also compares the line on standard error.
interrupt_says() {
    interrupt "${@:2}"
    holds "an interrupt says so: $2: $(cat errors)" [ "$(cat errors)" = "reap: -: interrupted$1" ]
}
described=": only the data read so far are described" undescribed=" before it was described"
interrupt_says "$described" "much" --type u8 - < <(head -c 20000000 random.npy)
holds "an interrupt prints what was read" grep -q '^  count  *20000000$' output
for bytes in 1 10 511 512 513; do
    interrupt_says "$described" "$bytes bytes" --type u8 - < <(head -c $bytes random.npy)
    holds "an interrupt prints $bytes bytes" grep -q "^  count  *$bytes\$" output
done
interrupt_says "$described" "a part of an element" --type f64 --json - < <(head -c 21 random.npy)
holds "in JSON" grep -q '"interrupted": true.*"count": 2,' output
interrupt_says "$described" "along an axis" --type u8 --shape 100x3 --axis 0 --tsv - <<<"abcdefg"
holds "along an axis an interrupt prints whole rows" \
    [ "$(cut -f 3,5 output | tail -n 3)" = "[:, 0]	2
[:, 1]	2
[:, 2]	2" ]
interrupt_says "$described" "an array" --csv - < <(head -c 144 u64.npy)
holds "of an array the elements that came" [ "$(cut -d , -f 5 output)" = "count
2" ]
printf '\n1;2,5\n3;"4,5"\n5;' >rows.csv
interrupt_says "$described" "rows" --tsv - <rows.csv
holds "of a table the whole rows" [ "$(cut -f 3,5,14 output)" = "name	count	sum
column 1	2	4
column 2	2	7" ]
interrupt_says "$described" "one row" --csv --quote none - <<<"7"
holds "one number" [ "$(cut -d , -f 5,14 output | tail -n 1)" = 1,7 ]
interrupt_says ": only the data read so far are listed" "a list" --list - <rows.csv
holds "a list of them" grep -q '^ *2  f64 ' output
if command -v gzip >compressed && "$tool" describe --csv - < <(gzip <rows.csv) >output 2>&1; then
    interrupt_says "$described" "compressed rows" --csv - < <(gzip <rows.csv)
    holds "of compressed rows, too" [ "$(cut -d , -f 5 output | tail -n 1)" = 2 ]
    for bytes in 2 10 12; do
        interrupt_says "$undescribed" "$bytes compressed bytes" - \
            < <(gzip <rows.csv | head -c $bytes)
    done
fi
for text in "" "a,b" $'a,b\n' $'a,b\n1,' '"a,b' $'\x93NUMPY' $'\x93NUMPY\x01\x00\x3a'; do
    interrupt_says "$undescribed" "'$text'" - < <(printf %s "$text")
    holds "an interrupt before the first number prints nothing: '$text'" [ ! -s output ]
done
interrupt_says "$undescribed" "nothing" --type u8 --json - </dev/null
holds "nothing in JSON" [ ! -s output ]
interrupt_says "$undescribed" "the second file" --csv u64.npy - u64.npy </dev/null
holds "files before the interrupt are described, those after it are left out" \
    [ "$(cut -d , -f 1 output | tail -n +2)" = u64.npy ]
holds "a file of /proc is not empty" \
    [ "$("$tool" describe --type u8 /proc/cpuinfo | grep -c '^  count *[1-9]')" = 1 ]

# ---- The command line ------------------------------------------------------------------------

expect 0 "reap $version" "" "$tool" --version
expect 0 host "" env REAP_BACKENDS=host "$tool" devices --names
holds "devices --names has names only" \
    [ "$("$tool" devices --names | grep -cvxE 'host|[a-z]+:[0-9]+')" = 0 ]
"$tool" devices | grep -q '^\* host  '
holds "devices shows the host as the default" [ $? = 0 ]
"$tool" devices | grep -q '^ *work-groups of up to 4096 work-items, 1024 KiB of local memory$'
holds "devices shows what work-groups may have" [ $? = 0 ]
kinds=$("$tool" devices | cut -c 3- | grep -oE '^(host|opencl|cuda)\>' | sort -u | tr '\n' ' ')
holds "devices has each kind, or why there is none of it: $kinds" \
    [ "$kinds" = "cuda host opencl " ]
holds "nothing is missing of what is hidden" \
    [ "$(REAP_BACKENDS=host "$tool" devices | wc -l)" = 3 ]
OCL_ICD_VENDORS=$work/nothing OCL_ICD_FILENAMES='' "$tool" devices >without_platforms
holds "what is missing is readable at 80 columns" \
    [ "$(grep -vE '^[ *] [a-z]+:?[0-9]* ' without_platforms | awk 'length > 80' | wc -l)" = 0 ]
for arguments in --help "compile --help" "describe --help" "devices --help"; do
    # shellcheck disable=SC2086 # the words of a command line
    holds "$arguments explains" [ "$("$tool" $arguments | head -n 1 | cut -c 1-6)" = usage: ]
    # shellcheck disable=SC2086
    holds "$arguments is readable at 80 columns" \
        [ "$("$tool" $arguments | awk 'length > 80' | wc -l)" = 0 ]
done
expect 2 "" "$("$tool" --help)" "$tool"
expect 2 "" "reap: 'foo' is not a command; 'reap --help' lists them" "$tool" foo
expect 2 "" "reap: '--foo' is not a command; 'reap --help' lists them" "$tool" --foo
expect 2 "" "reap describe: FILE is missing; --help says more" "$tool" describe
expect 2 "" "reap describe: unrecognized option '--foo'" "$tool" describe --foo u64.npy
expect 2 "" "reap describe: option '--type' requires an argument" "$tool" describe u64.npy --type
expect 2 "" "reap describe: --type: 'f80' is not a type; --help lists them" \
    "$tool" describe --type f80 u64.npy
for offset in -1 x 1x '' 0x10 9223372036854775808 99999999999999999999; do
    expect 2 "" "reap describe: --offset: '$offset' is not a number of bytes" \
        "$tool" describe --type u8 --offset "$offset" u64.npy
done
expect 2 "" "reap describe: --big-endian, --offset and --shape are for raw numbers; add --type" \
    "$tool" describe --big-endian u64.npy
expect 2 "" "reap describe: --separator: 'x' is none of these: , ; | : tab, a blank" \
    "$tool" describe --separator x u64.npy
expect 2 "" "reap describe: --quote: '' is none of these: \" ' none" \
    "$tool" describe --quote '' u64.npy
for device in foo '' 0 cuda opencl: opencl:x cuda:sm_90 host,host host:0 HOST; do
    expect 2 "" "reap describe: --device: '$device' is not a device; 'reap devices' lists them" \
        env REAP_BACKENDS=host "$tool" describe --device "$device" u64.npy
done
for device in opencl opencl:0 cuda:7; do
    expect 2 "" \
        "reap describe: --device: $device: unknown device; 'reap devices' lists them" \
        env REAP_BACKENDS=host "$tool" describe --device $device u64.npy
done
"$tool" describe --device opencl:99 u64.npy >output 2>errors
got=$?
holds "a device that is not there: $(cat errors)" \
    [ "$got $(grep -c '^reap describe: --device: opencl:' errors) $(wc -l <errors)" = "2 1 1" ]
for size in -1 x 4m 4T 4MB '' M 4.5M 0x10M ' 4M' 17179869184G 18446744073709551616; do
    expect 2 "" "reap describe: --device-memory: '$size' is not a size such as 512M" \
        "$tool" describe --device-memory "$size" u64.npy
done
for size in 0 1 0G 3M 4095K 4194303; do
    expect 2 "" "reap describe: --device-memory: '$size' is too small; 4M is the least" \
        "$tool" describe --device-memory $size u64.npy
done
for size in 4194304 4096K 4M 1G 17179869183G; do
    expect_golden generated "$tool" describe --device=host --device-memory=$size \
        u64.npy i16.npy f16.npy bool.npy
done
expect 2 "" "reap devices: 'host' is one argument too many" "$tool" devices host

for quantile in x '' 1.5 -0.5 101% nan inf 0x1 ' 0.5' 0.5x; do
    for list in "$quantile" "0.5,$quantile"; do
        expect 2 "" "reap describe: --quantiles: '$quantile' is not a number from 0 to 1, or \
from 0% to 100%" "$tool" describe --quantiles "$list" u64.npy
    done
done
expect 2 "" "reap describe: --quantiles: there are more than 64" \
    "$tool" describe --quantiles "0.5$(printf ',0.5%.0s' {1..64})" u64.npy
"$tool" describe --no-histogram --quantiles "0.5$(printf ',0.5%.0s' {1..63})" u64.npy >output
holds "--quantiles takes 64 of them" [ "$(grep -c '^  quantile 0.5  *[0-9.e+]*$' output)" = 64 ]
close=0.999,0.9999,99.99999999%,0.3333333333333333,1
holds "the heads of quantiles are what was asked for" [ "$("$tool" describe --transpose \
    --quantiles "$close" named.csv | sed -n 2p | grep -o 'q [0-9.]*' | tr '\n' ' ')" = \
    "q 0.999 q 0.9999 q 0.9999999999 q 0.3333333333333333 q 1 " ]
holds "so are those of records" [ "$("$tool" describe --csv --quantiles "$close" named.csv |
    head -n 1 | grep -o quantile.*)" = \
    "quantile_0.999,quantile_0.9999,quantile_0.9999999999,quantile_0.3333333333333333,quantile_1" ]
for columns in a~b 1,2; do
    holds "so are labels, which are before a gap" [ "$("$tool" describe --columns $columns \
        --quantiles "$close" named.csv | grep -o '^  quantile [0-9.]*  ' | tr -d '\n')" = \
        "$(printf '  quantile %s  ' 0.999 0.9999 0.9999999999 0.3333333333333333 1)" ]
done
"$tool" describe --histogram --quantiles 5%,.999999999 -- *.npy 2>/dev/null >output
holds "histograms are readable at 80 columns" [ "$(awk 'length > 80' output | wc -l)" = 0 ]
holds "there is one for each file" \
    [ "$(grep -c '^  histogram' output)" = "$(grep -c '^  count' output)" ]
printf '\x00\x00\xc0\x7f' >nan.f32
for file in empty.npy "--type f32 nan.f32"; do
    read -ra list <<<"$file"
    holds "a histogram without numbers is exact: $file" [ "$("$tool" describe --json --histogram \
        "${list[@]}" | grep -oE '"histogram": *\{[^}]*' | tr -d ' ')" = \
        '"histogram":{"exact":true,"edges":[],"counts":[]' ]
done
"$tool" describe u64.npy >without
expect 0 "$(cat without)" "" "$tool" describe --histogram --no-histogram u64.npy
if script -qec true /dev/null >/dev/null 2>&1; then
    script -qec "'$tool' describe bool.npy" /dev/null </dev/null >output
    holds "a histogram is drawn on a terminal" grep -q '^  0  ##* *[0-9]*  *[0-9.]* %' output
    script -qec "LC_ALL=C.UTF-8 '$tool' describe bool.npy" /dev/null </dev/null >output
    holds "of block elements where there are some" grep -q '█' output
else
    echo "skipped: histograms on a terminal: script is not installed"
fi

# ---- Files that cannot be read ---------------------------------------------------------------

mkdir directory
expect 1 "" "reap: missing.npy: No such file or directory" "$tool" describe missing.npy
expect 1 "" "reap: directory: is a directory" "$tool" describe directory
expect 1 "" "reap: u64.npy:x: a .npy file has no data set 'x' in it" "$tool" describe u64.npy:x
printf 'a,b\n1,2\n' >table.csv
expect 1 "" "reap: table.csv:b: a table has no data set 'b' in it" "$tool" describe table.csv:b
expect 1 "" "reap: u64.npy:x: a file of raw numbers has no data set 'x' in it" \
    "$tool" describe --type u8 u64.npy:x
expect 1 "" 'reap: two\012lines\033: No such file or directory' "$tool" describe $'two\nlines\033'
expect 1 "$(sed -n '/^u64/,/^$/p' "$source/tests/tool/golden/generated.txt" | sed '$d'
    echo
    sed -n '/^bool/,$p' "$source/tests/tool/golden/generated.txt")" \
    "reap: missing.npy: No such file or directory
reap: directory: is a directory" \
    "$tool" describe missing.npy u64.npy directory bool.npy
cp u64.npy secret.npy
chmod 0 secret.npy
if [ -r secret.npy ]; then
    echo "skipped: a file without permission to read it: this user may read every file"
else
    expect 1 "" "reap: secret.npy: Permission denied" "$tool" describe secret.npy
fi

# ---- The environment -------------------------------------------------------------------------

expect 1 "" "reap: u64.npy: REAP_NUM_THREADS is '0', and must be a number from 1 to 4096" \
    env REAP_NUM_THREADS=0 "$tool" describe u64.npy
expect 1 "" "reap: REAP_BACKENDS is 'none', and these backends have no device; 'host' has one" \
    env REAP_BACKENDS=none "$tool" devices
for backends in "ghost, host" "host , ghost" " host" "ghost host "; do
    expect 0 host "" env REAP_BACKENDS="$backends" "$tool" devices --names
done
for backends in hos hostile "goat,ghost" ,; do
    expect 1 "" \
        "reap: REAP_BACKENDS is '$backends', and these backends have no device; 'host' has one" \
        env REAP_BACKENDS="$backends" "$tool" devices
done
expect 0 "$("$tool" devices --names)" "" \
    env REAP_BACKENDS= REAP_NUM_THREADS= REAP_DEVICE= REAP_HOST_ISA= "$tool" devices --names
REAP_NUM_THREADS=3 "$tool" devices | grep -q '^ *3 compute units, '
holds "compute units are the threads that a launch may use" [ $? = 0 ]
expect 1 "" "reap: REAP_DEVICE: opencl:0: unknown device; 'reap devices' lists them" \
    env REAP_BACKENDS=host REAP_DEVICE=opencl:0 "$tool" describe u64.npy
expect_golden generated env REAP_BACKENDS=host REAP_DEVICE=opencl:0 \
    "$tool" describe --device host u64.npy i16.npy f16.npy bool.npy
expect_golden generated env REAP_NUM_THREADS=7 "$tool" describe u64.npy i16.npy f16.npy bool.npy

# ---- Output that cannot be written -----------------------------------------------------------

# output_fails ERROR COMMAND...: with standard output where the caller put it.
output_fails() {
    "${@:2}" 2>errors
    [ $? = 1 ] && [ "$(cat errors)" = "reap: standard output: $1" ]
}
for arguments in --version --help devices "describe u64.npy i16.npy"; do
    # shellcheck disable=SC2086
    holds "a full disk: $arguments" output_fails "No space left on device" \
        "$tool" $arguments >/dev/full
    # shellcheck disable=SC2086
    holds "a closed output: $arguments" output_fails "Bad file descriptor" "$tool" $arguments >&-
    # shellcheck disable=SC2086
    into_closed_pipe "$tool" $arguments 2>errors
    got=$?
    holds "a closed pipe: $arguments" \
        [ "$got $(cat errors)" = "1 " ]
done
"$tool" describe i16.npy u64.npy i16.npy 2>errors | head -n 1 >output
holds "the beginning of the output: $(cat output errors)" [ "$(cat output errors)" = \
    "i16.npy: i16, 100000, big-endian, 195.31 KiB" ]

"$tool" describe --rate u64.npy | grep -q "^ *this machine's read bandwidth, [0-9.]* GB/s$"
holds "--rate tells the read bandwidth" [ $? = 0 ]
"$tool" describe --rate u64.npy sea_temperatures.npy | grep '^  rate' >rates
rate='^  rate  *[0-9.]* [kMG]B/s ([0-9.]* [^ ]* in [0-9.]* [um]*s), [0-9.e-]* of$'
holds "--rate tells the rate: $(cat rates)" [ "$(grep -c "$rate" rates)" = 2 ]
holds "--rate of small files has digits: $(cat rates)" \
    [ "$(grep -c '[ (]0\.0* ' rates)" = 0 ]
"$tool" describe --rate table.csv | grep -q '^  rate  *[0-9.]* [kMG]B/s (8 bytes in '
holds "--rate of a table is that of its file" [ $? = 0 ]
holds "blocks are readable at 80 columns" \
    [ "$("$tool" describe --rate ./*.npy 2>/dev/null | awk 'length > 80' | wc -l)" = 0 ]

finish 60
