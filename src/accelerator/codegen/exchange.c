/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a kernel's text may have the words by which work-items exchange values through local
 * memory. A word may be written, or be made by a macro that pastes identifiers (C11 6.10.3.3). The
 * answer may be yes for a text that has none, never no for one that has some.
 */
#include "src/accelerator/codegen/codegen.h"
#include "src/accelerator/preprocess/lexer.h"

#include <string.h>

/* What is known of a text, in its kernel's state: the bits below are instruction sets'. */
#define LOOKED_AT (1u << 29)
#define GROUPS_EXCHANGE (1u << 28)
#define SUB_GROUPS_EXCHANGE (1u << 27)

/* Whether a line that ends in a backslash goes on in the next one without a blank, so that a word
 * may be in both. Compilers take blanks after the backslash, too. */
static bool has_split_word(const char *text, void *context)
{
    static const char blanks[] = " \t\v\f";
    const char *at = text;
    (void)context;
    while ((at = strchr(at, '\\')) != NULL) {
        at++;
        const char *end = at + strspn(at, blanks), *next = end + strspn(end, "\r\n");
        if (next > end && *next != '\0' && strchr(blanks, *next) == NULL)
            return true;
    }
    return false;
}

static bool mentions_one(const struct reap_kernel *kernel, const char *const *words)
{
    bool found = false;
    for (; *words != NULL && !found; words++)
        found = reap__mentions(kernel, *words);
    return found;
}

/* ---- Pasted words -----------------------------------------------------------------------------*/

/* How the words below begin. */
static const char *const beginnings[] = {"reap_group_", "reap_sub_group"};
enum { GROUP, SUB_GROUP, BEGINNINGS, MOST_LETTERS = 16 };

/* What identifiers of texts add to the first n letters of a beginning: bit m, that an identifier
 * has the next ones up to m. The last bit is of those that go on, too. */
struct pasting {
    unsigned added[BEGINNINGS][MOST_LETTERS];
    struct reap__string line; /* without comments */
};

/* Words that begin as those of group algorithms do, and exchange nothing. */
static bool is_id(const char *word, size_t length)
{
    static const char *const ids[] = {"reap_group_id", "reap_group_range", "reap_group_linear_id",
                                      "reap_group_linear_range", "reap_group_leader"};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        if (strlen(ids[i]) == length && strncmp(word, ids[i], length) == 0)
            return true;
    return false;
}

static void add_identifier(struct pasting *pasting, const char *identifier, size_t length)
{
    for (size_t b = 0; b < BEGINNINGS && !is_id(identifier, length); b++)
        for (size_t n = 0; beginnings[b][n] != '\0'; n++) {
            const size_t left = strlen(beginnings[b] + n), same = length < left ? length : left;
            if (memcmp(identifier, beginnings[b] + n, same) == 0)
                pasting->added[b][n] |= 1u << (n + same);
        }
}

static bool add_text(const char *text, void *context)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    struct pasting *pasting = context;
    struct reap__lexer lexer = reap__lexer_start(text, &pasting->line);
    struct reap__line line;
    while (reap__lexer_next_line(&lexer, &line)) {
        const bool is_file =
            line.directive != NULL && strncmp(reap__skip_blanks(line.directive), "include", 7) == 0;
        const char *at = pasting->line.bytes;
        if (at == NULL || is_file)
            continue;
        for (; *(at += strcspn(at, letters)) != '\0'; at += strspn(at, letters))
            add_identifier(pasting, at, strspn(at, letters));
    }
    return pasting->line.failed;
}

/* Whether identifiers make the beginning, or one that goes on. */
static bool is_made(const struct pasting *pasting, int beginning)
{
    const size_t length = strlen(beginnings[beginning]);
    unsigned made = 1;
    for (size_t n = 0; n < length; n++)
        if ((made & 1u << n) != 0)
            made |= pasting->added[beginning][n];
    return (made & 1u << length) != 0;
}

/* The bits of words that the texts may paste. */
static unsigned find_pasted(const struct reap_kernel *kernel)
{
    struct pasting pasting = {.line = {0}};
    unsigned found = 0;
    if (!reap__mentions(kernel, "##") && !reap__mentions(kernel, "%:%:"))
        return 0;
    const bool failed = reap__any_text_has(kernel, add_text, &pasting);
    if (failed || is_made(&pasting, GROUP))
        found |= GROUPS_EXCHANGE;
    if (failed || is_made(&pasting, SUB_GROUP))
        found |= SUB_GROUPS_EXCHANGE;
    reap__string_release(&pasting.line);
    return found;
}

/* Whether kernels of the program have macros of its own: their values may be any names. */
static bool has_macros(const struct reap_kernel *kernel)
{
    bool found = false;
    for (const struct reap__source *const *s = kernel->sources; s != kernel->sources_end; s++)
        found = found || (*s != NULL && (*s)->value != NULL);
    return found;
}

/* The words include those that paste names without ##, and those that begin texts in which nothing
 * is a comment. */
bool reap__may_exchange(const struct reap_kernel *kernel, bool has_warps)
{
    static const char *const words[] = {
        "reap_group_reduce",
        "reap_group_inclusive",
        "reap_group_exclusive",
        "reap_group_broadcast",
        "reap_group_any",
        "reap_group_all",
        "reap_group_none",
        "reap_group_joint",
        "REAP_KERNEL_MACRO",
        "REAP__",
        "R\"",
        NULL,
    };
    static const char *const sub_groups[] = {"reap_sub_group", NULL};
    unsigned known = atomic_load_explicit(&kernel->state->probed, memory_order_relaxed);
    if ((known & LOOKED_AT) == 0) {
        known = LOOKED_AT | find_pasted(kernel);
        if (has_macros(kernel))
            known |= GROUPS_EXCHANGE | SUB_GROUPS_EXCHANGE;
        if (mentions_one(kernel, words) || reap__any_text_has(kernel, has_split_word, NULL))
            known |= GROUPS_EXCHANGE;
        if (mentions_one(kernel, sub_groups))
            known |= SUB_GROUPS_EXCHANGE;
        atomic_fetch_or_explicit(&kernel->state->probed, known, memory_order_relaxed);
    }
    return (known & (has_warps ? GROUPS_EXCHANGE : GROUPS_EXCHANGE | SUB_GROUPS_EXCHANGE)) != 0;
}
