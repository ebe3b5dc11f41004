# SPDX-License-Identifier: Apache-2.0
#
# Makes manual pages of section 3 from the public headers: a page for each documented declaration,
# or for several under one comment; a page for each header, of the comment at its top and the names
# of what it declares; and reap(3), which lists them all. A declaration is documented by the comment
# right before it, or with an #if in between; what begins with REAP__ or reap__ is private. In a
# comment a line " *" ends a paragraph, and lines indented by five columns are shown as they are.
#
# The first line of a page's text is the comment's first sentence. Other names that a page is found
# by (the second of several functions, enumerators) are pages that refer to it.
#
# Usage: awk -v version=VERSION -v folder=FOLDER -f man-pages.awk HEADER...
# where FOLDER exists, and the headers are given from include/reap.

BEGIN {
    names_in_text = "reap_[a-z0-9_]+|REAP_[A-Z_]+[A-Z]|INVALID_ARGUMENT|OUT_OF_MEMORY|" \
                    "INDEX_OUT_OF_RANGE|NO_DEVICE|INEXACT_BUILD|DIVERGENT_BARRIER|" \
                    "(DEPENDENCY|COMPILATION|DEVICE)_FAILED"
}

FNR == 1 && NR > 1 {
    put_header(count)
}

FNR == 1 {
    header = FILENAME
    sub(/.*\//, "", header)
    shown = header == "kernel_host.h" ? "kernel.h" : header
    header_page = "reap_" shown
}

{
    line[FNR] = $0
    count = FNR
}

END {
    put_header(count)
    put_overview()
}

# ---- Headers ------------------------------------------------------------------------------------

function put_header(last,    i, end, after, text)
{
    end = comment_end(1, last)
    text = comment_text(2, end)
    listed = ""
    for (i = end + 1; i <= last; i++)
        if (line[i] ~ /^\/\*/) {
            end = comment_end(i, last)
            after = end + (line[end + 1] ~ /^#if/ ? 2 : 1)
            if (is_declaration(line[after]))
                put_declared(i, end, after, last)
            i = end
        }
    if (listed == "")
        return
    begin_page(header_page, "the header <reap/" shown ">")
    section("SYNOPSIS")
    put("#include <reap/" shown ">")
    section("DESCRIPTION")
    put_text(text)
    section("NAMES")
    put_raw(listed)
    end_page("")
    overview = overview ".SS <reap/" shown ">\n" listed
}

function put_overview()
{
    header_page = "reap"
    begin_page("reap", "data-parallel kernels and reductions with the same bits on every device")
    section("LIBRARY")
    put("The flags of a compiler for programs that use it are those that")
    put_raw(".B pkg-config --cflags --libs reap\nprints.\n")
    section("SYNOPSIS")
    put_raw(".nf\n#include <reap/reap.h>   in programs\n")
    put_raw("#include <reap/kernel.h> in kernel files\n.fi\n")
    section("DESCRIPTION")
    put("A kernel is written once, in C, in a file of its own, and runs on the host's processors,")
    put("on OpenCL devices and on NVIDIA's cards. Each name below has a page of its own in section")
    put("3, and so has each header, such as")
    put_raw(".BR reap_buffer.h (3).\n")
    put_raw(overview)
    end_page("The guides, with a quick reference and complete programs.")
}

# ---- Declarations -------------------------------------------------------------------------------

# The comment in lines first to end, and the declarations from line `after` on: a page of them all.
function put_declared(first, end, after, last,    i, stop, names, name, n, i_name)
{
    n = 0
    for (i = after; i <= last && is_declaration(line[i]); i = stop + 1) {
        stop = declaration_end(i, last)
        name = declared_name(i, stop)
        if (name !~ /^(REAP__|reap__|_)/ && name != "") {
            names[++n] = name
            begin[n] = i
            ends[n] = stop
        }
    }
    if (n > 0)
        put_page(comment_text(first, end), names, n)
}

function put_page(text, names, n,    i, summary)
{
    summary = first_sentence(text, names[1])
    begin_page(joined(names, n), summary)
    section("SYNOPSIS")
    put("#include <reap/" shown ">")
    for (i = 1; i <= n; i++)
        put_synopsis(names[i], begin[i], ends[i], text)
    section("DESCRIPTION")
    put_text(text)
    for (i = 1; i <= n; i++) {
        put_members(names[1], begin[i], ends[i])
        listed = listed ".TP\n.BR " names[i] " (3)\n" escape(summary) "\n"
        if (i > 1)
            put_alias(names[i], names[1])
    }
    end_page("")
}

function is_declaration(text)
{
    return text ~ /^(#define +)?[A-Za-z]/
}

function declaration_end(i, last,    braces)
{
    if (line[i] ~ /^#/) {
        while (line[i] ~ /\\$/)
            i++
        return i
    }
    for (; i < last; i++) {
        braces = braces || line[i] ~ /[{]$/ || line[i + 1] ~ /^[{]/
        if (braces ? line[i] ~ /^}/ : line[i] ~ /;$/)
            break
    }
    return i
}

function declared_name(first, end,    text)
{
    text = line[first]
    if (text ~ /^#define/) {
        sub(/^#define +/, "", text)
        sub(/[^A-Za-z0-9_].*/, "", text)
        return text
    }
    if (text ~ /^typedef .*;$/ && text !~ /\(/ || text ~ /^typedef (struct|enum) [{]$/) {
        text = line[end]
        sub(/^.* /, "", text)
        sub(/;$/, "", text)
        return text
    }
    sub(/^typedef /, "", text)
    if (text ~ /^(struct|enum) [A-Za-z_]+( [{]|;)$/) {
        sub(/^[a-z]+ /, "", text)
        sub(/[^A-Za-z0-9_].*/, "", text)
        return text
    }
    sub(/\(.*/, "", text)
    sub(/.*[ *]/, "", text)
    return text
}

# A function's declaration; a macro with its parameters, as its comment writes them if it begins so;
# a type with its members.
function put_synopsis(name, first, end, text,    i, code)
{
    put_raw(".PP\n.nf\n")
    if (line[first] ~ /[{]$/ && line[first] ~ /^(typedef |struct |enum )/) {
        for (i = first; i <= end; i++) {
            code = without_comment(line[i])
            if (code ~ /LIST\(/)
                code = "    REAP_OK, REAP_ERROR_INVALID_ARGUMENT, ..."
            if (code !~ /^ *$|^#/)
                put_raw(".B " quoted(code) "\n")
        }
    } else if (line[first] ~ /^#define/) {
        if (index(text, name "(") == 1)
            code = substr(text, 1, closing(text, length(name) + 1))
        else {
            code = line[first]
            sub(/^#define +/, "", code)
            if (match(code, /^[A-Za-z0-9_]+\([^)]*\)/))
                code = substr(code, 1, RLENGTH)
            else
                code = name
        }
        put_folded(code)
    } else {
        for (i = first; i <= end && line[i] !~ /^[{]/; i++)
            code = code " " line[i]
        gsub(/ +/, " ", code)
        sub(/^ (REAP_API|REAP__HALF_INLINE|static inline) /, "", code)
        sub(/ *REAP__UNREAD\([0-9]\)/, "", code)
        sub(/[;{ ]*$/, ";", code)
        put_folded(code)
    }
    put_raw(".fi\n")
}

# In lines of up to 76 columns, broken behind commas.
function put_folded(code,    cut, indent)
{
    indent = ""
    while (length(indent code) > 76) {
        for (cut = 76 - length(indent); cut > 20 && substr(code, cut, 2) != ", "; cut--)
            ;
        if (cut <= 20)
            break
        put_raw(".B " quoted(indent substr(code, 1, cut)) "\n")
        code = substr(code, cut + 2)
        indent = "        "
    }
    put_raw(".B " quoted(indent code) "\n")
}

# What stands beside a member, or in a comment before it; and the entries of a list of statuses.
function put_members(page, first, end,    i, note, code, begun)
{
    if (line[first] ~ /^#define [A-Z_]+_LIST\(X\)/) {
        status_list = ""
        for (i = first + 1; i <= end; i++)
            status_list = status_list line[i]
    }
    if (line[first] !~ /[{]$/ || line[first] !~ /^(typedef |struct |enum )/)
        return
    note = ""
    for (i = first + 1; i < end; i++) {
        if (line[i] ~ /LIST\(/) {
            section("VALUES")
            put_statuses(page)
            return
        }
        if (line[i] ~ /^#/)
            continue
        code = without_comment(line[i])
        note = note comment_of(line[i])
        while (line[i] ~ /\/\*/ && line[i] !~ /\*\// || is_inside && line[i] !~ /\*\//) {
            is_inside = 1
            note = note " " comment_of(line[++i])
        }
        is_inside = 0
        if (code ~ /^ *$/)
            continue
        if (!begun++)
            section(line[first] ~ /enum/ ? "VALUES" : "MEMBERS")
        gsub(/^ +|[;,] *$/, "", code)
        put_raw(".TP\n.B " quoted(code) "\n" escape(note == "" ? "(see above)" : note) "\n")
        if (line[first] ~ /enum/)
            put_alias(first_word(code), page)
        note = ""
    }
}

function put_statuses(page,    text, name)
{
    text = status_list
    while (match(text, /X\([A-Z_]+, *\\? *"[^"]*"\)/)) {
        name = substr(text, RSTART + 2, RLENGTH - 4)
        text = substr(text, RSTART + RLENGTH)
        put_raw(".TP\n.B " first_word(name) "\n")
        sub(/[^"]*"/, "", name)
        put(name ".")
    }
    text = status_list
    while (match(text, /X\([A-Z_]+/)) {
        put_alias(substr(text, RSTART + 2, RLENGTH - 2), page)
        text = substr(text, RSTART + RLENGTH)
    }
}

# ---- Comments -----------------------------------------------------------------------------------

function comment_end(i, last)
{
    while (i < last && line[i] !~ /\*\/ *$/)
        i++
    return i
}

# The comment in these lines: paragraphs, and lines to be shown as they are, which begin with a tab.
function comment_text(first, end,    i, text, part)
{
    text = ""
    for (i = first; i <= end; i++) {
        part = line[i]
        sub(/^ ?(\/\*| \*\/| ?\*)/, "", part)
        sub(/\*\/ *$/, "", part)
        if (part ~ /^     /)
            text = text "\n\t" substr(part, 6)
        else if (part ~ /^ *$/)
            text = text "\n"
        else {
            sub(/^ +/, "", part)
            sub(/ +$/, "", part)
            text = text (text == "" || text ~ /\n\t[^\n]*$/ ? "\n" : text ~ /\n$/ ? "" : " ") part
        }
    }
    sub(/^\n+/, "", text)
    return text
}

function put_text(text,    parts, n, i, is_code)
{
    n = split(text, parts, "\n")
    is_code = 0
    for (i = 1; i <= n; i++) {
        if (parts[i] ~ /^\t/) {
            if (!is_code)
                put_raw(".PP\n.in +2n\n.nf\n")
            is_code = 1
            put(substr(parts[i], 2))
        } else if (is_code && parts[i] == "" && parts[i + 1] ~ /^\t/) {
            put_raw("\n")
        } else {
            if (is_code)
                put_raw(".fi\n.in\n")
            is_code = 0
            if (parts[i] != "")
                put_raw((i > 1 ? ".PP\n" : "") marked(parts[i]) "\n")
        }
    }
    if (is_code)
        put_raw(".fi\n.in\n")
}

# The names of Reap in a text, in bold, and those of errors whole.
function marked(text,    before, name)
{
    before = ""
    while (match(text, names_in_text)) {
        name = substr(text, RSTART, RLENGTH)
        if (name !~ /^(REAP|reap)_/)
            name = "REAP_ERROR_" name
        before = before escape_middle(substr(text, 1, RSTART - 1)) "\\fB" name "\\fP"
        text = substr(text, RSTART + RLENGTH)
    }
    return guarded(before escape_middle(text))
}

# Without the call that it may begin with, and without references to the specification.
function first_sentence(text, name,    end)
{
    gsub(/\n\t?/, " ", text)
    if (index(text, name "(") == 1) {
        text = substr(text, closing(text, length(name) + 1) + 1)
        sub(/^ *([{][^}]*[}])? *(is |, without a semicolon, )?/, "", text)
    }
    gsub(/ *\([^()]*(SYCL|the same section)[^()]*\)/, "", text)
    gsub(/[.][.][.]/, "\001", text)
    end = match(text ". ", /[.;] /)
    text = substr(text, 1, end - 1)
    if (length(text) > 90 && match(text, /[:,(]/) && RSTART > 20)
        text = substr(text, 1, RSTART - 1)
    gsub(/\001/, "...", text)
    sub(/[.: ]+$/, "", text)
    return text
}

function without_comment(text)
{
    if (text ~ /^ *\/?\*/ && text !~ /^ *\/\*.*\*\/ *[A-Za-z]/)
        return ""
    gsub(/ *\/\*.*/, "", text)
    return text
}

function comment_of(text)
{
    if (text ~ /\/\*/)
        sub(/.*\/\* */, "", text)
    else if (text ~ /^ *\*/)
        sub(/^ *\* */, "", text)
    else if (!is_inside)
        return ""
    sub(/ *\*\/.*/, "", text)
    sub(/^ +/, "", text)
    return text
}

# ---- Pages --------------------------------------------------------------------------------------

function begin_page(names, summary,    first)
{
    first = first_word(names)
    sub(/,$/, "", first)
    out = folder "/" first ".3"
    printf "" >out
    put_raw(".\\\" SPDX-License-Identifier: Apache-2.0\n")
    put_raw(".\\\" Made from include/reap by scripts/man-pages.awk\n")
    put_raw(".TH " quoted(first) " 3 \"\" \"Reap " version "\" \"Reap\"\n.nh\n.ad l\n")
    section("NAME")
    put_raw(escape(names) " \\- " escape(summary) "\n")
}

function end_page(text)
{
    section("SEE ALSO")
    if (text != "")
        put(text)
    else {
        if (out != folder "/" header_page ".3")
            put_raw(".BR " header_page " (3),\n")
        put_raw(".BR reap (3)\n.PP\n")
    }
    put("Pages that the text names, such as docs/kernels.md, are installed in share/doc/reap.")
    close(out)
}

function put_alias(name, page)
{
    print ".so man3/" page ".3" >(folder "/" name ".3")
    close(folder "/" name ".3")
}

function section(name)
{
    put_raw(".SH " name "\n")
}

function put(text)
{
    put_raw(escape(text) "\n")
}

function put_raw(text)
{
    printf "%s", text >out
}

function joined(names, n,    i, text)
{
    text = names[1]
    for (i = 2; i <= n; i++)
        text = text ", " names[i]
    return text
}

function first_word(text)
{
    sub(/[ ,=].*/, "", text)
    return text
}

# Where the parenthesis that opens at `at` closes.
function closing(text, at,    depth, c)
{
    for (; at <= length(text); at++) {
        c = substr(text, at, 1)
        depth += (c == "(") - (c == ")")
        if (depth == 0)
            break
    }
    return at
}

function escape_middle(text)
{
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    return text
}

# A line that begins with a dot or an apostrophe would be a request.
function guarded(text)
{
    return text ~ /^[.']/ ? "\\&" text : text
}

function escape(text)
{
    return guarded(escape_middle(text))
}

function quoted(text)
{
    text = escape_middle(text)
    gsub(/"/, "\\(dq", text)
    return "\"" text "\""
}
