/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes of a message between ranks, which run the same build of the tool: values as they are in
 * memory. The reader gets them in the order in which they were put.
 */
#ifndef CLI_PACKET_H
#define CLI_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is an empty packet. */
struct cli_packet {
    unsigned char *bytes;
    size_t count, capacity;
    size_t at;       /* the index of the next byte to get */
    bool has_failed; /* memory ran out, or more was requested than it has */
};

void cli_packet_put(struct cli_packet *packet, const void *value, size_t bytes);
void cli_packet_put_number(struct cli_packet *packet, uint64_t number);

/* Puts words, without those that are zero: for structures in which most are. */
void cli_packet_put_words(struct cli_packet *packet, const uint64_t *words, size_t count);

/* After a failure, or beyond the end, they get zeros. */
void cli_packet_get(struct cli_packet *packet, void *value, size_t bytes);
uint64_t cli_packet_get_number(struct cli_packet *packet);
void cli_packet_get_words(struct cli_packet *packet, uint64_t *words, size_t count);

/* Sets its size, before a message is received into it. Returns false if memory runs out. */
bool cli_packet_resize(struct cli_packet *packet, size_t bytes);
bool cli_packet_is_at_end(const struct cli_packet *packet);
void cli_packet_free(struct cli_packet *packet); /* it is empty afterwards */

#endif
