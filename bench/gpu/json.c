/* SPDX-License-Identifier: Apache-2.0
 *
 * The report as a JSON file, as the host's benchmark writes it (docs/benchmarks.md has the keys).
 * Machines with a card may lack json-c, so this writes the few kinds of values itself.
 */
#include "bench/gpu/report.h"

#include <string.h>
#include <sys/utsname.h>
#include <time.h>

/* After the text before: "{" or "[", or another value. */
static void put_key(FILE *json, const char *before, const char *key)
{
    fprintf(json, "%s\"%s\": ", before, key);
}

/* Quotes and control characters do not occur in names of devices; they are left out. */
static void put_text(FILE *json, const char *before, const char *key, const char *text)
{
    put_key(json, before, key);
    fputc('"', json);
    for (; *text != '\0'; text++)
        if (*text != '"' && *text != '\\' && (unsigned char)*text >= ' ')
            fputc(*text, json);
    fputc('"', json);
}

static void put_number(FILE *json, const char *key, double number)
{
    put_key(json, ", ", key);
    fprintf(json, "%.10g", number);
}

static void put_machine(FILE *json, const struct gpu_machine *machine)
{
    struct utsname names;
    char system[256] = "";
    if (uname(&names) == 0)
        snprintf(system, sizeof system, "%.80s %.80s %.80s", names.sysname, names.release,
                 names.machine);
    put_text(json, ",\n\"machine\": {", "device", machine->name);
    put_text(json, ", ", "description", machine->description);
    put_text(json, ", ", "instruction_set", machine->instruction_set);
    put_number(json, "threads", machine->units);
    put_number(json, "memory_bytes", machine->memory_bytes);
    put_text(json, ", ", "system", system);
    put_text(json, ", ", "compiler", BENCH_COMPILER);
    fprintf(json, ", \"caches\": []}");
}

/* The card's memory, read by a kernel that does nothing else. */
static void put_limits(FILE *json, const struct gpu_report *report)
{
    fprintf(json, ",\n\"limits\": [");
    if (report->bandwidth > 0) {
        put_text(json, "{", "name", "DRAM");
        put_number(json, "threads", report->machine.units);
        put_number(json, "bytes", report->bandwidth_bytes);
        put_number(json, "bytes_per_second", report->bandwidth);
        put_number(json, "spread", 0);
        fprintf(json, "}");
    }
    fprintf(json, "]");
}

static void put_peers(FILE *json, const struct gpu_report *report)
{
    put_text(json, ",\n\"peers\": [{", "name", "reap");
    put_text(json, ", ", "title", "Reap");
    put_text(json, ", ", "version", report->machine.version);
    put_text(json, ", ", "flags", BENCH_REAP_FLAGS);
    put_text(json, "},\n  {", "name", "cub");
    put_text(json, ", ", "title", "CUB");
    put_text(json, ", ", "version", gpu_cub_versions());
    put_text(json, ", ", "flags", BENCH_CUB_FLAGS);
    fprintf(json, "}]");
}

/* One side's time; the fraction is of the card's memory, of which small inputs need nothing. */
static void put_point(FILE *json, const struct gpu_report *report, const struct gpu_row *row,
                      const char *peer)
{
    const struct gpu_time *time = strcmp(peer, "reap") == 0 ? &row->reap : &row->baseline;
    put_text(json, "{", "case", row->name.work);
    put_text(json, ", ", "type", row->name.type);
    put_text(json, ", ", "variant", row->name.variant);
    put_text(json, ", ", "peer", peer);
    put_number(json, "threads", report->machine.units);
    put_number(json, "elements", (double)row->items);
    put_number(json, "bytes", row->bytes);
    put_number(json, "seconds", time->seconds);
    put_number(json, "spread", time->spread);
    if (report->bandwidth > 0 && row->bytes > 0) {
        put_text(json, ", ", "limit", "DRAM");
        put_number(json, "fraction", row->bytes / time->seconds / report->bandwidth);
    }
    fprintf(json, "}");
}

/* Of a row whose baseline does less than Reap, Reap's alone. */
static void put_points(FILE *json, const struct gpu_report *report)
{
    const char *before = "\n  ";
    fprintf(json, ",\n\"points\": [");
    for (int r = 0; r < report->row_count; r++) {
        const struct gpu_row *row = &report->rows[r];
        if (row->name.work == NULL || row->is_wrong)
            continue;
        fputs(before, json);
        before = ",\n  ";
        put_point(json, report, row, "reap");
        if (row->name.is_same_work) {
            fputs(before, json);
            put_point(json, report, row, "cub");
        }
    }
    fprintf(json, "]");
}

static void put_row(FILE *json, const struct gpu_row *row, const char *before)
{
    char work[128];
    snprintf(work, sizeof work, "%s, %zu", row->work, row->items);
    put_text(json, before, "work", work);
    put_text(json, ", ", "against", row->against);
    put_number(json, "ratio", row->baseline.seconds / row->reap.seconds);
    put_number(json, "at_least", row->at_least);
    put_number(json, "aim", row->aim);
    put_text(json, ", ", "verdict", gpu_row_verdict(row));
    put_number(json, "reap_seconds", row->reap.seconds);
    put_number(json, "baseline_seconds", row->baseline.seconds);
    put_number(json, "reap_spread", row->reap.spread);
    put_number(json, "baseline_spread", row->baseline.spread);
    put_text(json, ", ", "reap_flags", BENCH_REAP_FLAGS);
    put_text(json, ", ", "baseline_flags", BENCH_CUB_FLAGS);
    fprintf(json, "}");
}

void gpu_report_write_json(const struct gpu_report *report)
{
    FILE *json = report->json;
    char date[32] = "";
    const time_t now = time(NULL);
    struct tm parts;
    const char *before = "\n  {";
    if (gmtime_r(&now, &parts) != NULL)
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts);
    put_text(json, "{", "format", "reap-bench");
    put_number(json, "version", 1);
    put_text(json, ", ", "command", report->command);
    put_text(json, ", ", "date", date);
    put_text(json, ",\n\"reap\": {", "version", report->machine.version);
    put_text(json, ", ", "revision", BENCH_REVISION);
    fprintf(json, "}");
    put_machine(json, &report->machine);
    put_number(json, "turns", report->turns.count);
    put_number(json, "turn_seconds", report->turns.seconds);
    put_limits(json, report);
    put_peers(json, report);
    put_points(json, report);
    fprintf(json, ",\n\"rows\": [");
    for (int r = 0; r < report->row_count; r++)
        if (report->rows[r].at_least > 0) {
            put_row(json, &report->rows[r], before);
            before = ",\n  {";
        }
    fprintf(json, "]}\n");
}
