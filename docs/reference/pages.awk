# SPDX-License-Identifier: Apache-2.0
#
# Makes a page of docs/ one of the reference: its headings get names, by which links to pages and
# sections find them; links to headers lead to their pages, and of links to other files the text is
# left. README.md is the first page. Lines keep their numbers.

FNR == 1 {
    page = page_of(FILENAME)
}

/^```/ {
    in_code = !in_code
}

in_code || /^    / {
    print
    next
}

/^# / {
    print $0 " {#" page "}"
    next
}

/^#/ {
    heading = $0
    sub(/^#+ /, "", heading)
    print $0 " {#" page "_" slug(heading) "}"
    next
}

{
    print with_links($0)
}

# The name of a page: of docs/queues.md guide_queues.
function page_of(path)
{
    sub(/.*\//, "", path)
    sub(/\.md$/, "", path)
    return path == "README" ? "mainpage" : "guide_" path
}

# What a heading is called in links, as GitHub does.
function slug(heading)
{
    heading = tolower(heading)
    gsub(/[^a-z0-9_ -]/, "", heading)
    gsub(/ /, "-", heading)
    return heading
}

function with_links(text,    before, target)
{
    while (match(text, /\]\([^)]*\)/)) {
        target = target_of(substr(text, RSTART + 2, RLENGTH - 3))
        before = before substr(text, 1, RSTART - 1)
        text = substr(text, RSTART + RLENGTH)
        if (target != "")
            before = before "](" target ")"
        else {
            match(before, /\[[^[]*$/)
            before = substr(before, 1, RSTART - 1) substr(before, RSTART + 1)
        }
    }
    return before text
}

function target_of(link,    part)
{
    if (link ~ /^https?:/)
        return link
    if (link ~ /\.h$/) {
        sub(/.*\//, "", link)
        return "@ref " link
    }
    if (link !~ /\.md|^#/)
        return ""
    part = index(link, "#") ? "_" substr(link, index(link, "#") + 1) : ""
    sub(/#.*/, "", link)
    return "@ref " (link == "" ? page : page_of(link)) part
}
