# SPDX-License-Identifier: Apache-2.0
#
# Makes Doxygen see the comments of a public header, which are plain ones: that at the top of the
# file, those right before a declaration, and those of members. A comment before several
# declarations, with no line between them, is about each of them. In a comment indented lines are
# code, and Reap's names and pages are links. Of a macro's body numbers and strings are left. A list
# of X(name, "sentence") becomes the enumerators that it makes. Lines keep their numbers, so that
# warnings name the header's own.

BEGIN {
    names = "(^|[^&.\"A-Za-z0-9_])(reap_[a-z0-9_]+|REAP_(ERROR_[A-Z_]+|[A-Z_]*KERNEL))" \
            "|docs/[a-z-]+[.]md"
}

{
    line[NR] = $0
}

END {
    for (i = put_comment(1, "/** @file", ""); i <= NR;)
        if (line[i] ~ /^\/\*/ && declares(comment_end(i) + 1))
            i = put_documented(i)
        else if (declares(i))
            i = put_declaration(i)
        else
            print line[i++]
}

function comment_end(i)
{
    while (i < NR && line[i] !~ /\*\/$/)
        i++
    return i
}

# Whether a declaration begins in line i.
function declares(i)
{
    return line[i] ~ /^(#define )?[A-Za-z]/
}

function declaration_end(i,    braces)
{
    if (line[i] ~ /^#/)
        while (line[i] ~ /\\$/)
            i++
    else
        while (i < NR) {
            braces = braces || line[i] ~ /[{]$/
            if (braces ? line[i] ~ /^}/ : line[i] ~ /;$/)
                break
            i++
        }
    return i
}

# A comment, and the declarations that it is about; gives the line behind them, as all of these do.
function put_documented(i,    end, count)
{
    for (end = comment_end(i) + 1; declares(end); end = declaration_end(end) + 1)
        count++
    i = put_comment(i, "/**", count > 1 ? " /**@{*/" : "")
    if (line[i] ~ /^struct [a-z_]+;$/)
        sub(/;/, " {};", line[i]) # since an incomplete one would not be shown
    while (i < end)
        i = put_declaration(i)
    if (count > 1)
        print "/**@}*/" line[i++]
    return i
}

function put_declaration(i,    end)
{
    end = declaration_end(i)
    if (line[i] ~ /^#/)
        return put_macro(i, end)
    if (line[i] ~ /^(typedef )?(struct|enum)( [a-z_]+)? [{]$/)
        return put_members(i, end)
    while (i <= end)
        print line[i++]
    return i
}

function put_macro(i, end,    text, k)
{
    for (k = i; k <= end; k++) {
        text = text line[k]
        sub(/ *\\$/, "", text)
    }
    match(text, /^#define [A-Za-z0-9_]+(\([^)]*\))?/)
    if (text ~ /^#define [A-Z0-9_]+_LIST\(X\)/)
        list = substr(text, RLENGTH + 1)
    if (text !~ /^#define [A-Z_]+ [0-9"]/)
        text = substr(text, 1, RLENGTH)
    print text
    while (i++ < end)
        print ""
    return i
}

function put_members(i, end)
{
    while (i <= end)
        if (line[i] ~ /^ +\/\*/)
            i = put_comment(i, "/**", "")
        else if (line[i] ~ /\/\*/)
            i = put_comment(i, "/**<", "")
        else if (line[i] ~ /^ +[A-Z_]+_LIST\([A-Z_]+\)$/)
            i = put_list(i)
        else {
            # Which Doxygen itself does not mind.
            if (line[i] ~ /^ +[A-Z_]+( = [^,]+)?,?$/)
                print FILENAME ":" i ": warning: an enumerator is not documented" >"/dev/stderr"
            print line[i++]
        }
    return i
}

# The enumerators of the list that came before.
function put_list(i,    text)
{
    while (match(list, /X\([A-Z_]+, *"[^"]*"\)/)) {
        text = substr(list, RSTART + 2, RLENGTH - 4)
        list = substr(list, RSTART + RLENGTH)
        sub(/, *"/, ", /**< ", text)
        printf "%s */ ", text
    }
    print ""
    return i + 1
}

function put_comment(i, opening, closing,    end, code)
{
    end = comment_end(i)
    line[end] = line[end] closing
    match(line[i], /\/\*( SPDX.*)?/)
    printf "%s", substr(line[i], 1, RSTART - 1) opening
    line[i] = substr(line[i], RSTART + RLENGTH)
    for (; i <= end; i++)
        if (!code && line[i] == " *" && is_code(i + 1)) {
            code = 1
            print " * @code{." language(i + 1) "}"
        } else if (!code) {
            print prose(line[i])
        } else if (is_code(i)) {
            print " * " substr(line[i], 8)
        } else if (is_code(i + 1)) {
            print " *"
        } else {
            print " * @endcode" (line[i] == " *" ? "" : line[i])
            code = 0
        }
    return i
}

function is_code(i)
{
    return line[i] ~ /^ \*     /
}

# Lines of which the last is a statement are C; others are a table.
function language(i)
{
    while (is_code(i + 1) || is_code(i + 2))
        i++
    return line[i] ~ /;$/ ? "c" : "unparsed"
}

# A line in which names and pages are links; with its arguments behind it, a name is one anyway.
function prose(text,    before, name)
{
    while (match(text, names)) {
        name = substr(text, RSTART, RLENGTH)
        before = before substr(text, 1, RSTART - 1)
        text = substr(text, RSTART + RLENGTH)
        if (name ~ /^docs/)
            name = "@ref guide_" substr(name, 6, length(name) - 8) " \"" name "\""
        else if (text !~ /^[(A-Z_]/)
            sub(/reap_|REAP_/, "#&", name)
        before = before name
    }
    return before text
}
