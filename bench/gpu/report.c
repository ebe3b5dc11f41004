/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of the table. A bound that the design does not have is a dash.
 */
#include "bench/gpu/report.h"

const char *gpu_row_verdict(const struct gpu_row *row)
{
    const double ratio = row->baseline.seconds / row->reap.seconds;
    return row->is_wrong            ? "wrong"
           : row->at_least <= 0     ? ""
           : ratio >= row->aim      ? "aim"
           : ratio >= row->at_least ? "holds"
                                    : "below";
}

void gpu_report_begin(struct gpu_report *report, const char *json_path)
{
    if (json_path != NULL && (report->json = fopen(json_path, "w")) == NULL)
        gpu_fail(json_path, "cannot be written");
    const char *const lines[] = {gpu_reap_device(), gpu_cub_versions()};
    printf("%s; %s\nTimes are of one, in us: medians of turns, launches back to back over one "
           "buffer (so inputs that\nfit lie in the card's cache) and one wait; 'events' is CUB's "
           "time on the device, 'read' the part of the\ncard's read bandwidth that Reap has.\n",
           lines[0], lines[1]);
    printf("%-26s %-16s %11s %6s %6s %6s  %-5s %10s %10s %10s %5s %5s %5s\n", "work", "against",
           "items", "ratio", "least", "aim", "", "Reap", "baseline", "events", "sprd", "sprd",
           "read");
    gpu_reap_describe(&report->machine);
}

static void print_number(const char *format, const char *none, double number)
{
    if (number > 0)
        printf(format, number);
    else
        printf("%s", none);
}

void gpu_report_row(struct gpu_report *report, const struct gpu_row *row)
{
    const double ratio = row->baseline.seconds / row->reap.seconds;
    printf("%-26s %-16s %11zu ", row->work, row->against, row->items);
    print_number("%6.2f ", "     - ", ratio);
    print_number("%6.2f ", "     - ", row->at_least);
    print_number("%6.2f  ", "     -  ", row->aim);
    printf("%-5s %10.2f ", gpu_row_verdict(row), row->reap.seconds * 1e6);
    print_number("%10.2f ", "         - ", row->baseline.seconds * 1e6);
    print_number("%10.2f ", "         - ", row->device.seconds * 1e6);
    printf("%3.0f %% %3.0f %%", row->reap.spread * 100, row->baseline.spread * 100);
    if (report->bandwidth > 0)
        print_number(" %5.3f", "", row->bytes / row->reap.seconds / report->bandwidth);
    printf("\n");
    fflush(stdout);
    if (report->row_count == GPU_MOST_ROWS)
        gpu_fail("report", "more rows than there is room for");
    report->rows[report->row_count++] = *row;
    report->below += row->at_least > 0 && ratio < row->at_least;
    report->wrong += row->is_wrong;
}

void gpu_report_end(struct gpu_report *report)
{
    printf("%d rows: %d below their bounds, %d wrong; read bandwidth %.0f GB/s\n",
           report->row_count, report->below, report->wrong, report->bandwidth * 1e-9);
    if (report->json == NULL)
        return;
    gpu_report_write_json(report);
    if (fclose(report->json) != 0)
        gpu_fail("the JSON file", "cannot be written");
}
