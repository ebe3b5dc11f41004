/* SPDX-License-Identifier: Apache-2.0
 *
 * Packets between ranks (tools/job/packet.h): what was put is what is got, and nothing beyond.
 */
#include "tools/job/packet.h"

#include "tests/support/check.h"

enum { MOST_WORDS = 200, VALUES = 300, ROUNDS = 50 };

static uint64_t state;

/* Some are zero, alone and in rows. */
static void draw_words(uint64_t *words, size_t count)
{
    for (size_t w = 0; w < count; w++)
        words[w] = check_random(&state) % 3 == 0 ? check_random(&state) : 0;
}

/* A value of the kind: a number, bytes, or words, of random size. */
static void put(struct cli_packet *packet, unsigned kind, const uint64_t *words, size_t count)
{
    if (kind == 0)
        cli_packet_put_number(packet, words[0]);
    else if (kind == 1)
        cli_packet_put(packet, words, count);
    else
        cli_packet_put_words(packet, words, count);
}

static void check_value(struct cli_packet *packet, unsigned kind, const uint64_t *words,
                        size_t count)
{
    uint64_t got[MOST_WORDS];
    if (kind == 0) {
        CHECK_EQ(cli_packet_get_number(packet), words[0]);
    } else if (kind == 1) {
        cli_packet_get(packet, got, count);
        CHECK(memcmp(got, words, count) == 0);
    } else {
        cli_packet_get_words(packet, got, count);
        CHECK(memcmp(got, words, count * sizeof *words) == 0);
    }
}

static void check_values(void)
{
    static uint64_t words[VALUES][MOST_WORDS];
    size_t counts[VALUES];
    struct cli_packet packet = {.bytes = NULL}, copy = {.bytes = NULL};
    for (unsigned v = 0; v < VALUES; v++) {
        counts[v] = check_random(&state) % MOST_WORDS;
        draw_words(words[v], MOST_WORDS);
        put(&packet, v % 3, words[v], counts[v]);
    }
    CHECK(cli_packet_resize(&copy, packet.count));
    memcpy(copy.bytes, packet.bytes, packet.count);
    for (unsigned v = 0; v < VALUES; v++)
        check_value(&copy, v % 3, words[v], counts[v]);
    CHECK(cli_packet_is_at_end(&copy) && !copy.has_failed);
    CHECK_EQ(cli_packet_get_number(&copy), 0);
    CHECK(copy.has_failed);
    cli_packet_free(&copy);
    cli_packet_free(&packet);
    CHECK(packet.bytes == NULL && cli_packet_is_at_end(&packet));
}

int main(void)
{
    state = check_seed();
    for (int r = 0; r < ROUNDS; r++)
        check_values();
    return check_finish();
}
