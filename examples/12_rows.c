/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows and the columns of a table: the rain of each station in a year, and at how many stations
 * it rained each day. A kernel over a range of two dimensions has a result for each row, or for
 * each column.
 */
#include <reap/reap.h>
#include <stdint.h>
#include <stdio.h>

#include "12_rows.kernels.h"

enum { STATIONS = 300, DAYS = 365 };

static float rain[STATIONS * DAYS], total[STATIONS], most[STATIONS];
static uint32_t wet[DAYS];

static reap_status run(void)
{
    const reap_range range = reap_range_2d(STATIONS, DAYS);
    reap_queue *queue;
    reap_buffer *buffer;
    REAP_TRY(reap_queue_create(NULL, NULL, &queue));
    REAP_TRY(reap_buffer_wrap(rain, sizeof rain, &buffer));
    REAP_TRY(reap_parallel_for(queue, each_station, range, .rain = rain,
                               .total = {.result = total, .count = STATIONS},
                               .most = {.result = most, .count = STATIONS}));
    REAP_TRY(reap_parallel_for(queue, each_day, range, .rain = rain,
                               .wet = {.result = wet, .count = DAYS}));
    REAP_TRY(reap_queue_wait(queue));
    reap_queue_release(queue);
    return reap_buffer_release(buffer);
}

int main(void)
{
    for (size_t i = 0; i < (size_t)STATIONS * DAYS; i++)
        rain[i] = (float)(i * 7 % 13 < 4 ? i * 7 % 13 : 0) * 0.5f;
    if (run() != REAP_OK) {
        fprintf(stderr, "%s\n", reap_last_error());
        return 1;
    }

    float all = 0;
    uint32_t wet_days = 0, wet_items = 0;
    for (size_t station = 0; station < STATIONS; station++)
        all += total[station];
    for (size_t day = 0; day < DAYS; day++)
        wet_days += wet[day];
    float expected = 0;
    for (size_t i = 0; i < (size_t)STATIONS * DAYS; i++) {
        expected += rain[i];
        wet_items += rain[i] >= 1;
    }
    printf("station 0: %g mm, at most %g a day; day 0: rain at %u stations\n", (double)total[0],
           (double)most[0], (unsigned)wet[0]);
    return all == expected && wet_days == wet_items && most[0] == 1.5f ? 0 : 1;
}
