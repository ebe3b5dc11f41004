/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of the table. A bound that the design does not have is a dash.
 */
#include "bench/gpu/report.h"

static const char *verdict(const struct gpu_row *row)
{
    const double ratio = row->baseline.seconds / row->reap.seconds;
    return row->is_wrong            ? "WRONG"
           : row->at_least <= 0     ? ""
           : ratio >= row->aim      ? "aim"
           : ratio >= row->at_least ? "holds"
                                    : "BELOW";
}

void gpu_report_begin(struct gpu_report *report, const char *json_path)
{
    *report = (struct gpu_report){0};
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
    if (report->json != NULL)
        fprintf(report->json, "{\"reap\": \"%s\", \"baseline\": \"%s\", \"rows\": [", lines[0],
                lines[1]);
}

static void print_number(const char *format, const char *none, double number)
{
    if (number > 0)
        printf(format, number);
    else
        printf("%s", none);
}

static void print_json(const struct gpu_report *report, const struct gpu_row *row)
{
    fprintf(report->json,
            "%s\n  {\"work\": \"%s\", \"against\": \"%s\", \"items\": %zu, \"reap_us\": %.4f, "
            "\"baseline_us\": %.4f, \"baseline_events_us\": %.4f, \"ratio\": %.4f, \"at_least\": "
            "%.2f, \"aim\": %.2f, \"verdict\": \"%s\", \"reap_bytes_per_second\": %.4g}",
            report->rows > 0 ? "," : "", row->work, row->against, row->items,
            row->reap.seconds * 1e6, row->baseline.seconds * 1e6, row->device.seconds * 1e6,
            row->baseline.seconds / row->reap.seconds, row->at_least, row->aim, verdict(row),
            row->bytes / row->reap.seconds);
}

void gpu_report_row(struct gpu_report *report, const struct gpu_row *row)
{
    const double ratio = row->baseline.seconds / row->reap.seconds;
    printf("%-26s %-16s %11zu ", row->work, row->against, row->items);
    print_number("%6.2f ", "     - ", ratio);
    print_number("%6.2f ", "     - ", row->at_least);
    print_number("%6.2f  ", "     -  ", row->aim);
    printf("%-5s %10.2f ", verdict(row), row->reap.seconds * 1e6);
    print_number("%10.2f ", "         - ", row->baseline.seconds * 1e6);
    print_number("%10.2f ", "         - ", row->device.seconds * 1e6);
    printf("%3.0f %% %3.0f %%", row->reap.spread * 100, row->baseline.spread * 100);
    if (report->bandwidth > 0)
        print_number(" %5.3f", "", row->bytes / row->reap.seconds / report->bandwidth);
    printf("\n");
    fflush(stdout);
    if (report->json != NULL)
        print_json(report, row);
    report->rows++;
    report->below += row->at_least > 0 && ratio < row->at_least;
    report->wrong += row->is_wrong;
}

void gpu_report_end(struct gpu_report *report)
{
    printf("%d rows: %d below their bounds, %d wrong; read bandwidth %.0f GB/s\n", report->rows,
           report->below, report->wrong, report->bandwidth * 1e-9);
    if (report->json == NULL)
        return;
    fprintf(report->json, "\n],\n\"read_bytes_per_second\": %.4g}\n", report->bandwidth);
    if (fclose(report->json) != 0)
        gpu_fail("the JSON file", "cannot be written");
}
