/* SPDX-License-Identifier: Apache-2.0
 *
 * The headers of the kernel dialect for the host. They are embedded in the library, since the
 * machine on which a program runs may not have them, or another version. They become one text: each
 * #include of one of Reap's headers is replaced by its text.
 */
#include "src/host/compiled/text.h"

#include "src/core/embedded_headers.h"

#include <string.h>

#define HEADERS(X)                                                                                 \
    X("reap/api.h")                                                                                \
    X("reap/bfloat16.h")                                                                           \
    X("reap/device.h")                                                                             \
    X("reap/event.h")                                                                              \
    X("reap/half.h")                                                                               \
    X("reap/kernel.h")                                                                             \
    X("reap/kernel_words.h")                                                                       \
    X("reap/launch.h")                                                                             \
    X("reap/part.h")                                                                               \
    X("reap/queue.h")                                                                              \
    X("reap/range.h")                                                                              \
    X("reap/status.h")                                                                             \
    X("reap/version.h")                                                                            \
    X("reap/detail/atomic_arguments.h")                                                            \
    X("reap/detail/kernel_host.h")                                                                 \
    X("reap/detail/kernel_table.h")                                                                \
    X("reap/detail/list.h")                                                                        \
    X("reap/detail/narrow_types.h")                                                                \
    X("reap/detail/host/atomics.h")                                                                \
    X("reap/detail/host/atomic_pointers.h")                                                        \
    X("reap/detail/host/atomics_tmpl.h")                                                           \
    X("reap/detail/host/checks.h")                                                                 \
    X("reap/detail/host/collectives.h")                                                            \
    X("reap/detail/host/compiled.h")                                                               \
    X("reap/detail/host/embed.h")                                                                  \
    X("reap/detail/host/groups.h")                                                                 \
    X("reap/detail/host/isa.h")                                                                    \
    X("reap/detail/host/loops.h")                                                                  \
    X("reap/detail/host/narrow_rows.h")                                                            \
    X("reap/detail/host/narrow_rows_tmpl.h")                                                       \
    X("reap/detail/host/operators.h")                                                              \
    X("reap/detail/host/parameters.h")                                                             \
    X("reap/detail/host/phase_loop.h")                                                             \
    X("reap/detail/host/phases.h")                                                                 \
    X("reap/detail/host/planes.h")                                                                 \
    X("reap/detail/host/reductions.h")                                                             \
    X("reap/detail/host/replaced_names.h")                                                         \
    X("reap/detail/host/rounding.h")                                                               \
    X("reap/detail/host/sub_group_phases.h")                                                       \
    X("reap/detail/host/sub_groups.h")                                                             \
    X("reap/detail/host/wait.h")

#define COUNT(name) +1
_Static_assert((0 HEADERS(COUNT)) == REAP__HOST_HEADERS,
               "a header of the dialect for the host is missing in HEADERS above");

REAP__EMBED_HEADERS(HEADERS)

static const char *find_header(const char *name, size_t length)
{
    const char *entry = reap__find_header(embedded_headers(), name, length);
    return entry != NULL ? reap__header_text(entry) : NULL;
}

/* Whether a header is included several times: it has no guard, or other macros each time. */
static bool is_repeated(const char *name, size_t length)
{
    static const char *const ends[] = {"_tmpl.h", "/replaced_names.h"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (length > strlen(ends[i]) &&
            memcmp(name + length - strlen(ends[i]), ends[i], strlen(ends[i])) == 0)
            return true;
    return false;
}

enum { MOST_HEADERS = 64, MOST_DEPTH = 16 };

struct dialect {
    struct reap__string *into;
    const char *seen[MOST_HEADERS];
    size_t seen_count;
    unsigned depth;
};

static void write_header(struct dialect *dialect, const char *text);

/* If the line includes a header of Reap, writes its text, unless it has been written, and returns
 * true. */
static bool write_included(struct dialect *dialect, const char *line)
{
    static const char begin[] = "#include <reap/";
    if (strncmp(line, begin, sizeof begin - 1) != 0)
        return false;
    const char *const name = line + strlen("#include <");
    const size_t length = strcspn(name, ">\n");
    const char *const text = find_header(name, length);
    if (text == NULL)
        return false;
    for (size_t i = 0; i < dialect->seen_count; i++)
        if (dialect->seen[i] == text)
            return true;
    if (!is_repeated(name, length) && dialect->seen_count < MOST_HEADERS)
        dialect->seen[dialect->seen_count++] = text;
    write_header(dialect, text);
    return true;
}

static void write_header(struct dialect *dialect, const char *text)
{
    if (++dialect->depth > MOST_DEPTH)
        dialect->into->failed = true;
    while (*text != '\0' && !dialect->into->failed) {
        const size_t length = strcspn(text, "\n") + 1;
        if (!write_included(dialect, text))
            reap__string_append(dialect->into, text, length);
        text += text[length - 1] == '\0' ? length - 1 : length;
    }
    dialect->depth--;
}

void reap__host_dialect_write(struct reap__string *into)
{
    struct dialect dialect = {.into = into};
    write_header(&dialect, "#include <reap/kernel.h>\n#include <reap/detail/host/compiled.h>\n");
}
