/* SPDX-License-Identifier: Apache-2.0
 *
 * Bits that must never change within a major version: golden.txt has the results of every group for
 * inputs from a linear congruential generator, and both the reference and Reap must give them. With
 * --print this program writes that file's lines, from the reference.
 */
#include "tests/conformance/agreement_work.h"
#include "tests/conformance/queues.h"
#include "tests/support/memory.h"

static const size_t counts[] = {2, 33, 65, 2049, 250007};
enum { COUNTS = sizeof counts / sizeof *counts, SERIES = 2, LINE = 200 };

/* Knuth's MMIX generator; its high bits are the good ones. */
static uint64_t next_state(uint64_t *state)
{
    return *state = *state * 6364136223846793005u + 1442695040888963407u;
}

static double centred(uint64_t state, unsigned bits)
{
    return (double)(int64_t)(state >> (64 - bits)) - (double)((uint64_t)1 << (bits - 1));
}

/* Floating-point inputs are spread about 0 in the first series, for sums, and close to 1 in the
 * second, for products. Integers are the generator's high bits, and odd in the second. */
static void make_input(enum input_type type, unsigned series, uint64_t state, void *input)
{
    const float single =
        (float)(series == 0 ? centred(state, 24) * 0x1p-16 : 1 + centred(state, 24) * 0x1p-33);
    const double wide =
        series == 0 ? centred(state, 53) * 0x1p-40 : 1 + centred(state, 40) * 0x1p-50;
    const uint64_t integer = state >> (64 - 8 * input_bytes(type)) | series;
    const uint64_t half = series == 0 ? (state >> 63 << 15 | 0x3000 | (state >> 49 & 0xfff))
                                      : 0x3bff + ((state >> 62) + 1) / 2; /* 1 or a neighbour */
    const uint64_t bfloat16 = series == 0 ? (state >> 63 << 15 | 0x3e00 | (state >> 49 & 0x1ff))
                                          : 0x3f7f + ((state >> 62) + 1) / 2;
    const bool truth = state >> 62 != series;
    if (type == INPUT_FLOAT)
        memcpy(input, &single, sizeof single);
    else if (type == INPUT_DOUBLE || type == INPUT_TAME_DOUBLE)
        memcpy(input, &wide, sizeof wide);
    else if (type == INPUT_HALF)
        memcpy(input, &half, 2);
    else if (type == INPUT_BFLOAT16)
        memcpy(input, &bfloat16, 2);
    else if (type == INPUT_BOOL)
        memcpy(input, &truth, sizeof truth);
    else
        memcpy(input, &integer, input_bytes(type));
}

/* Variables start as the first item's value, where the operator has no identity to start from. */
static void prepare(struct workspace *work, const struct trial *trial, unsigned series)
{
    const struct group *group = work->group;
    uint64_t state = 12345;
    work->trial = trial;
    for (size_t i = 0; i < trial->count * group->elements; i++)
        make_input(group->input, series, next_state(&state),
                   work->inputs + i * input_bytes(group->input));
    for (size_t r = 0; r < group->reduction_count; r++) {
        const struct group_reduction *reduction = &group->reductions[r];
        unsigned char *start = work->start + r * work->slot_bytes;
        if (reduction->value != NULL)
            reduction->value(work->inputs, 0, start);
        else
            memcpy(start, work->inputs, reduction->op->bytes);
        work->launch[r] = (struct reference_launch){NULL, reduction->op->identity != NULL};
    }
}

/* A result as text: its bytes, the highest first, or for large types their FNV-1a hash. */
static void print_result(const unsigned char *result, size_t bytes, char *text, size_t room)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ result[i]) * 0x100000001b3;
    text[0] = '\0';
    if (bytes > 24)
        snprintf(text, room, "hash:%016llx", (unsigned long long)hash);
    for (size_t i = bytes; i > 0 && bytes <= 24; i--)
        snprintf(text + 2 * (bytes - i), room - 2 * (bytes - i), "%02x", result[i - 1]);
}

/* The file's line for a reduction, from a row of results. */
static void print_line(const struct workspace *work, unsigned series, size_t r,
                       const unsigned char *row, char line[LINE])
{
    const struct reference_operator *op = work->group->reductions[r].op;
    char result[64];
    print_result(row + r * work->slot_bytes, op->bytes, result, sizeof result);
    snprintf(line, LINE, "%s %s %zu %u %s\n", work->group->name, op->name, work->trial->count,
             series, result);
}

static bool has_group(const char *line)
{
    for (size_t g = 0; g < group_count; g++) {
        const size_t length = strlen(groups[g]->name);
        if (strncmp(line, groups[g]->name, length) == 0 && line[length] == ' ')
            return test_wants(groups[g]->name);
    }
    return false;
}

/* The file's next line for a group that this build has, and that is to be checked. */
static bool read_line(FILE *file, char line[LINE])
{
    while (fgets(line, LINE, file) != NULL)
        if (has_group(line))
            return true;
    return false;
}

static void check_rows(struct workspace *work, unsigned series, const unsigned char *reference,
                       FILE *file, reap_queue *const *queues)
{
    unsigned long wrong = 0;
    for (size_t r = 0; r < work->group->reduction_count; r++) {
        char line[LINE], golden[LINE];
        print_line(work, series, r, reference, line);
        wrong += !read_line(file, golden) || strcmp(line, golden) != 0;
        if (wrong > 0 && check_failures < 20)
            fprintf(stderr, "  golden.txt: %s  reference:  %s", golden, line);
        check_comparisons++;
    }
    CHECK_EQ(wrong, 0);
    static size_t turn;
    turn++;
    for (size_t q = 0; q < queue_count; q++) {
        if (test_samples() && q != turn % queue_count)
            continue;
        CHECK_LAUNCH(workspace_launch(work, queues[q]), queues[q]);
        CHECK_EQ(workspace_compare(work, reference), 0);
        check_comparisons += (unsigned long)work->group->reduction_count;
    }
}

/* Checks or, without a file, prints the lines of a group. Plain char has none: it is signed
 * on some machines and unsigned on others. */
static void go_through(const struct group *group, FILE *file, reap_queue *const *queues)
{
    if (strcmp(group->name, "char") == 0)
        return;
    for (size_t c = 0; c < COUNTS && counts[c] <= group->largest; c++)
        for (unsigned series = 0; series < SERIES; series++) {
            const struct trial trial = {counts[c], 0, 0};
            struct workspace work;
            char line[LINE];
            workspace_open(group, &trial, 1, &work);
            unsigned char *row = test_allocate(workspace_row_bytes(&work));
            prepare(&work, &trial, series);
            workspace_expect(&work, row);
            if (file != NULL)
                check_rows(&work, series, row, file, queues);
            for (size_t r = 0; r < group->reduction_count && file == NULL; r++) {
                print_line(&work, series, r, row, line);
                fputs(line, stdout);
            }
            free(row);
            workspace_close(&work);
        }
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--print") == 0) {
        for (size_t g = 0; g < group_count; g++)
            go_through(groups[g], NULL, NULL);
        return 0;
    }
    char line[LINE];
    reap_queue *queues[QUEUES];
    FILE *file = fopen(GOLDEN_FILE, "r");
    CHECK(file != NULL);
    if (file == NULL)
        return check_finish();
    setenv("REAP_NUM_THREADS", "17", 1);
    queues_open(queues);
    for (size_t g = 0; g < group_count; g++)
        if (test_wants(groups[g]->name))
            go_through(groups[g], file, queues);
    CHECK(!read_line(file, line));
    fclose(file);
    queues_close(queues);
    return check_finish();
}
