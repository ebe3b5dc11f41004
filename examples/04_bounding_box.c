/* SPDX-License-Identifier: Apache-2.0
 *
 * The bounding box of many points: a type and an operator of one's own.
 */
#include <math.h>
#include <reap/reap.h>
#include <stdio.h>

#include "04_bounding_box.kernels.h"

enum { POINTS = 300000 };

int main(void)
{
    static point points[POINTS];
    for (int i = 0; i < POINTS; i++) {
        points[i].x = (float)(i % 641) / 64;
        points[i].y = 8 - (float)(i % 1013) / 64;
    }

    box bounds = around_identity();
    reap_queue *queue;
    if (reap_queue_create(NULL, NULL, &queue) != REAP_OK ||
        reap_parallel_for(queue, bounding_box, reap_range_1d(POINTS), .points = points,
                          .bounds = {.variable = &bounds}) != REAP_OK ||
        reap_queue_wait(queue) != REAP_OK) {
        fprintf(stderr, "%s\n", reap_last_error());
        return 1;
    }
    reap_queue_release(queue);
    printf("from (%g, %g) to (%g, %g)\n", (double)bounds.low.x, (double)bounds.low.y,
           (double)bounds.high.x, (double)bounds.high.y);
    return bounds.low.x == 0 && bounds.low.y == -7.8125f && bounds.high.x == 10 &&
                   bounds.high.y == 8
               ? 0
               : 1;
}
