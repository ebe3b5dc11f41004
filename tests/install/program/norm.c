/* SPDX-License-Identifier: Apache-2.0
 *
 * A user's program without a kernel of its own. It prints the version of Reap and a norm, for which
 * the library of algorithms needs the C library's mathematics.
 */
#include <reap/algorithms.h>
#include <reap/version.h>
#include <stdio.h>

int main(void)
{
    static const float x[2] = {3, 4};
    float norm = 0;
    reap_queue *queue;
    if (reap_queue_create(NULL, NULL, &queue) != REAP_OK ||
        reap_norm(queue, x, 2, &norm) != REAP_OK) {
        fprintf(stderr, "%s\n", reap_last_error());
        return 1;
    }
    reap_queue_release(queue);
    printf("%s %.0f\n", reap_version(), (double)norm);
    return 0;
}
