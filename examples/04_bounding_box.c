/* SPDX-License-Identifier: Apache-2.0
 *
 * The bounding box of many points: a user's type and operator.
 */
#include <math.h>
#include <reap/reap.h>
#include <stdio.h>

#include "04_bounding_box.kernels.h"

enum { POINTS = 300000 };

static reap_status run(const point *points, box *bounds)
{
    reap_queue *queue;
    reap_buffer *buffer;
    REAP_TRY(reap_queue_create(NULL, NULL, &queue));
    REAP_TRY(reap_buffer_wrap(points, POINTS * sizeof *points, &buffer));
    REAP_TRY(reap_parallel_for(queue, bounding_box, reap_range_1d(POINTS), .points = points,
                               .bounds = bounds));
    REAP_TRY(reap_queue_wait(queue));
    reap_queue_release(queue);
    return reap_buffer_release(buffer);
}

int main(void)
{
    static point points[POINTS];
    for (int i = 0; i < POINTS; i++) {
        points[i].x = (float)(i % 641) / 64;
        points[i].y = 8 - (float)(i % 1013) / 64;
    }

    box bounds = around_identity();
    if (run(points, &bounds) != REAP_OK) {
        fprintf(stderr, "%s\n", reap_last_error());
        return 1;
    }
    printf("from (%g, %g) to (%g, %g)\n", (double)bounds.low.x, (double)bounds.low.y,
           (double)bounds.high.x, (double)bounds.high.y);
    return bounds.low.x == 0 && bounds.low.y == -7.8125f && bounds.high.x == 10 &&
                   bounds.high.y == 8
               ? 0
               : 1;
}
