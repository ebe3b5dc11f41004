# SPDX-License-Identifier: Apache-2.0
#
# Makes manual pages of section 3 from the Doxygen comments of the public headers: a page for each
# documented declaration, or for several in a group; a page for each header, of its @file comment and
# the names that it declares; and reap(3), which lists all names. Doxygen itself makes one page for
# each header, not for each function, and installing would need it; so this reads what the headers
# use of Doxygen's form:
#
#   /** ... */ before a declaration; @file, @struct; /**@{*/ ... /**@}*/ around a group under one comment
#   @param, @param[out], @return, @retval, @note: a section each
#   @code{...} ... @endcode, shown as it is; a macro's first code is its synopsis if it begins with
#   the macro's name
#   paragraphs, lists of "- ", `code`, [text](docs/page.md), and /**< ... */ after a member
#
# The first line of a page's text is the comment's first sentence. Other names that a page documents
# (further functions of a group, enumerators) are pages that refer to it. Names that begin with
# REAP__ or reap__ are private. A member without a comment is an error: Doxygen accepts enumerators
# without one.
#
# Usage: awk -v version=VERSION -v folder=FOLDER -f man-pages.awk HEADER...
# where FOLDER exists, and the headers are from include/reap.

BEGIN {
    names_in_text = "reap_[a-z0-9_]+|REAP_[A-Z_]+[A-Z]"
}

FNR == 1 && NR > 1 {
    put_header(count)
}

FNR == 1 {
    header = FILENAME
    sub(/.*\//, "", header)
    shown = header == "kernel_words.h" ? "kernel.h" : header
    header_page = "reap_" shown
}

{
    line[FNR] = $0
    count = FNR
}

END {
    put_header(count)
    put_overview()
    exit failed
}

# ---- Headers ------------------------------------------------------------------------------------

function put_header(last,    i, end, after, text)
{
    for (i = 1; i < last && line[i] !~ /^\/\*\* @file/;)
        i++
    end = comment_end(i, last)
    text = comment_text(i, end)
    listed = ""
    for (i = end + 1; i <= last; i++)
        if (line[i] ~ /^\/\*\*[^@]/) {
            end = comment_end(i, last)
            after = end + (line[end + 1] ~ /^(#if|\/\*\*@[{])/ ? 2 : 1)
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

# A page for the declaration in line `after`, or for those of the group that begins there, with the
# comment of lines first to end.
function put_declared(first, end, after, last,    i, stop, names, name, n, is_group)
{
    n = 0
    is_group = line[after - 1] ~ /^\/\*\*@[{]/
    for (i = after; i <= last && is_declaration(line[i]); i = stop + 1) {
        stop = declaration_end(i, last)
        name = declared_name(i, stop)
        if (name !~ /^(REAP__|reap__|_)/ && name != "") {
            names[++n] = name
            begin[n] = i
            ends[n] = stop
        }
        if (!is_group)
            break
    }
    if (n > 0)
        put_page(comment_text(first, end), names, n)
}

function put_page(text, names, n,    i, summary)
{
    summary = first_sentence(text)
    begin_page(joined(names, n), summary)
    section("SYNOPSIS")
    put("#include <reap/" shown ">")
    for (i = 1; i <= n; i++)
        put_synopsis(names[i], begin[i], ends[i], text)
    section("DESCRIPTION")
    put_text(without_synopsis(text, names[1]))
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

# A function's declaration; a macro with its parameters, as its first code shows it if that begins
# with its name; a type with its members.
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
        if (synopsis_in(text, name) != "")
            code = synopsis_in(text, name)
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
        if (note == "") {
            print "man-pages.awk: " code " of " page " has no comment" >"/dev/stderr"
            failed = 1
        }
        put_raw(".TP\n.B " quoted(code) "\n" marked(plain(note)) "\n")
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

# The comment in these lines: paragraphs, list items and commands, a line each; empty lines; and code,
# in lines that begin with a tab.
function comment_text(first, end,    i, text, part, is_code, begins_line)
{
    text = ""
    is_code = 0
    for (i = first; i <= end; i++) {
        part = line[i]
        sub(/^\/\*\*( @file| @struct [a-z_]+)? ?|^ \*\/$|^ \* ?/, "", part)
        sub(/ *\*\/ *$/, "", part)
        if (part ~ /^@(end)?code/) {
            is_code = part ~ /^@code/
            text = text "\n"
        } else if (is_code)
            text = text "\n\t" part
        else if (part ~ /^ *$/)
            text = text "\n"
        else {
            gsub(/^ +| +$/, "", part)
            begins_line = part ~ /^(@|- )/ || text ~ /\n\t[^\n]*$/
            text = text (text == "" || text ~ /\n$/ ? "" : begins_line ? "\n" : " ") part
        }
    }
    sub(/^\n+/, "", text)
    return text
}

# The macro as its comment's first code shows it, or "".
function synopsis_in(text, name,    at)
{
    at = index(text, "\n\t")
    text = substr(text, at + 2)
    sub(/\n.*/, "", text)
    return at > 0 && text ~ "^" name "([^A-Za-z0-9_]|$)" ? text : ""
}

function without_synopsis(text, name,    code, at)
{
    code = synopsis_in(text, name)
    if (code == "")
        return text
    at = index(text, "\n\t" code)
    return substr(text, 1, at - 1) "\n" substr(text, at + 2 + length(code))
}

function put_text(text,    parts, n, i, is_code, is_paragraph)
{
    n = split(text, parts, "\n")
    is_code = 0
    is_paragraph = 1 # after a heading
    shown_section = ""
    for (i = 1; i <= n; i++) {
        if (parts[i] ~ /^\t/ || is_code && parts[i] == "" && parts[i + 1] ~ /^\t/) {
            if (!is_code)
                put_raw(".PP\n.in +2n\n.nf\n")
            is_code = 1
            is_paragraph = 0
            put(substr(parts[i], 2))
            continue
        }
        if (is_code)
            put_raw(".fi\n.in\n")
        is_code = 0
        if (parts[i] ~ /^@/) {
            put_command(parts[i])
            is_paragraph = 1
        } else if (parts[i] ~ /^- /)
            put_raw(".IP \\(bu 2\n" marked(plain(substr(parts[i], 3))) "\n")
        else if (parts[i] != "") {
            put_raw((is_paragraph ? "" : ".PP\n") marked(plain(parts[i])) "\n")
            is_paragraph = 0
        }
    }
    if (is_code)
        put_raw(".fi\n.in\n")
}

# A paragraph that begins with @param, @return, @retval or @note.
function put_command(text,    command, name)
{
    command = first_word(text)
    sub(/^@[a-z]+(\[out\])? */, "", text)
    if (command ~ /^@(param|retval)/) {
        name = first_word(text)
        sub(/^[^ ]+ */, "", text)
    }
    if (command == "@return")
        command_section("RETURN VALUE")
    else if (command == "@note")
        command_section("NOTES")
    else if (command == "@retval") {
        command_section("ERRORS")
        put_raw(".TP\n.B " name "\n")
    } else {
        command_section("PARAMETERS")
        put_raw(".TP\n" (command ~ /out/ ? ".IR " name " \" (output)\"" : ".I " name) "\n")
    }
    put_raw(marked(plain(text)) "\n")
}

function command_section(name)
{
    if (shown_section != name)
        section(name)
    shown_section = name
}

# Without what Doxygen reads: pages by their names, code without quotes.
function plain(text)
{
    while (match(text, /\[[^]]*\]\(docs\/[a-z-]+[.]md\)/)) {
        text = substr(text, 1, RSTART - 1) page_in(substr(text, RSTART, RLENGTH)) \
               substr(text, RSTART + RLENGTH)
    }
    gsub(/`/, "", text)
    return text
}

function page_in(link)
{
    gsub(/^.*\(|\)$/, "", link)
    return link
}

# The names of Reap in a text, in bold.
function marked(text,    before, name)
{
    before = ""
    while (match(text, names_in_text)) {
        name = substr(text, RSTART, RLENGTH)
        before = before escape_middle(substr(text, 1, RSTART - 1)) "\\fB" name "\\fP"
        text = substr(text, RSTART + RLENGTH)
    }
    return guarded(before escape_middle(text))
}

# Without references to the specification.
function first_sentence(text,    end)
{
    sub(/\n\t.*/, "", text)
    gsub(/\n/, " ", text)
    text = plain(text)
    gsub(/ *\([^()]*SYCL[^()]*\)/, "", text)
    gsub(/[.][.][.]/, "\001", text)
    end = match(text " ", /[.;] /)
    if (end > 0)
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
        sub(/.*\/\*\*?<? */, "", text)
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
