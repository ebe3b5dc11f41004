/* SPDX-License-Identifier: Apache-2.0
 *
 * The messages between the tool and a reader.
 */
#include "tools/interrupt.h"
#include "tools/read/reader.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

static bool give_up(void)
{
    errno = ETIMEDOUT;
    return false;
}

bool cli_reader_send(int socket, const void *bytes, size_t count, uint64_t seconds)
{
    const char *at = bytes;
    errno = 0;
    while (count > 0 && !cli_is_interrupted()) {
        if (!cli_wait_for(socket, true, seconds))
            return give_up();
        const ssize_t sent = send(socket, at, count, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno != EINTR && errno != EAGAIN)
            return false;
        at += sent > 0 ? sent : 0;
        count -= sent > 0 ? (size_t)sent : 0;
    }
    return count == 0;
}

bool cli_reader_receive(int socket, void *bytes, size_t count, uint64_t seconds)
{
    char *at = bytes;
    errno = 0;
    while (count > 0 && !cli_is_interrupted()) {
        if (!cli_wait_for(socket, false, seconds))
            return give_up();
        if (cli_is_interrupted())
            break;
        const ssize_t got = recv(socket, at, count, 0);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        at += got > 0 ? got : 0;
        count -= got > 0 ? (size_t)got : 0;
    }
    return count == 0;
}
