/* SPDX-License-Identifier: Apache-2.0
 *
 * Packets: an array of bytes that grows.
 */
#include "tools/job/packet.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_BYTES = 256, GROUP = 64 };

static bool reserve(struct cli_packet *packet, size_t bytes)
{
    if (packet->has_failed || bytes > SIZE_MAX / 2 - packet->count)
        return false;
    if (packet->count + bytes <= packet->capacity)
        return true;
    size_t capacity = packet->capacity < LEAST_BYTES ? LEAST_BYTES : 2 * packet->capacity;
    capacity = capacity < packet->count + bytes ? packet->count + bytes : capacity;
    unsigned char *grown = realloc(packet->bytes, capacity);
    if (grown == NULL)
        return false;
    packet->bytes = grown;
    packet->capacity = capacity;
    return true;
}

void cli_packet_put(struct cli_packet *packet, const void *value, size_t bytes)
{
    packet->has_failed = !reserve(packet, bytes);
    if (packet->has_failed || bytes == 0)
        return;
    memcpy(packet->bytes + packet->count, value, bytes);
    packet->count += bytes;
}

void cli_packet_put_number(struct cli_packet *packet, uint64_t number)
{
    cli_packet_put(packet, &number, sizeof number);
}

/* Before each group of words is a mask: a bit for each word that follows. */
void cli_packet_put_words(struct cli_packet *packet, const uint64_t *words, size_t count)
{
    for (size_t first = 0; first < count; first += GROUP) {
        const size_t in_group = count - first < GROUP ? count - first : GROUP;
        uint64_t bits = 0;
        for (size_t w = 0; w < in_group; w++)
            bits |= (uint64_t)(words[first + w] != 0) << w;
        cli_packet_put_number(packet, bits);
        for (size_t w = 0; w < in_group; w++)
            if (words[first + w] != 0)
                cli_packet_put_number(packet, words[first + w]);
    }
}

void cli_packet_get(struct cli_packet *packet, void *value, size_t bytes)
{
    packet->has_failed = packet->has_failed || bytes > packet->count - packet->at;
    if (packet->has_failed) {
        memset(value, 0, bytes);
        return;
    }
    if (bytes > 0)
        memcpy(value, packet->bytes + packet->at, bytes);
    packet->at += bytes;
}

uint64_t cli_packet_get_number(struct cli_packet *packet)
{
    uint64_t number;
    cli_packet_get(packet, &number, sizeof number);
    return number;
}

void cli_packet_get_words(struct cli_packet *packet, uint64_t *words, size_t count)
{
    for (size_t first = 0; first < count; first += GROUP) {
        const size_t in_group = count - first < GROUP ? count - first : GROUP;
        const uint64_t bits = cli_packet_get_number(packet);
        for (size_t w = 0; w < in_group; w++)
            words[first + w] = (bits >> w & 1) != 0 ? cli_packet_get_number(packet) : 0;
    }
}

bool cli_packet_resize(struct cli_packet *packet, size_t bytes)
{
    packet->count = packet->at = 0;
    packet->has_failed = false;
    packet->has_failed = !reserve(packet, bytes);
    packet->count = packet->has_failed ? 0 : bytes;
    return !packet->has_failed;
}

bool cli_packet_is_at_end(const struct cli_packet *packet)
{
    return packet->has_failed || packet->at == packet->count;
}

void cli_packet_free(struct cli_packet *packet)
{
    free(packet->bytes);
    *packet = (struct cli_packet){.bytes = NULL};
}
