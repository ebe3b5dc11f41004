/* SPDX-License-Identifier: Apache-2.0
 *
 * The report as a JSON file, one object; docs/benchmarks.md has the keys. Written by json-c.
 */
#include "bench/report.h"

#include "bench/fail.h"

#if BENCH_HAS_JSON
#include <json-c/json.h>
#include <reap/reap.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void put_text(struct json_object *object, const char *key, const char *text)
{
    json_object_object_add(object, key, json_object_new_string(text != NULL ? text : ""));
}

/* In six digits: no clock here has more. */
static void put_number(struct json_object *object, const char *key, double number)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", number);
    json_object_object_add(object, key, json_object_new_double_s(number, text));
}

static void put_count(struct json_object *object, const char *key, double count)
{
    json_object_object_add(object, key, json_object_new_int64((int64_t)count));
}

static struct json_object *describe_machine(const struct machine *machine)
{
    struct json_object *object = json_object_new_object();
    struct json_object *caches = json_object_new_array();
    put_text(object, "device", "host");
    put_text(object, "description", machine->description);
    put_text(object, "instruction_set", machine->instruction_set);
    put_count(object, "threads", machine->threads);
    put_count(object, "memory_bytes", machine->memory_bytes);
    put_text(object, "system", machine->system);
    put_text(object, "compiler", BENCH_COMPILER);
    for (int c = 0; c < machine->cache_count; c++) {
        struct json_object *cache = json_object_new_object();
        put_count(cache, "level", machine->caches[c].level);
        put_count(cache, "bytes", (double)machine->caches[c].bytes);
        put_count(cache, "sharers", machine->caches[c].sharers);
        json_object_array_add(caches, cache);
    }
    json_object_object_add(object, "caches", caches);
    return object;
}

static struct json_object *list_peers(const struct peer_list *list)
{
    struct json_object *peers = json_object_new_array();
    for (size_t p = 0; p < list->count; p++) {
        const struct peer *peer = &list->peers[p];
        struct json_object *object = json_object_new_object();
        put_text(object, "name", peer->name);
        put_text(object, "title", peer->title);
        if (peer->facts.is_there) {
            put_text(object, "version", peer->facts.version);
            put_text(object, "flags", peer->facts.flags);
        } else {
            put_text(object, "skipped", peer->facts.why_not);
        }
        json_object_array_add(peers, object);
    }
    return peers;
}

static struct json_object *list_limits(const struct bench_report *report)
{
    struct json_object *limits = json_object_new_array();
    for (size_t l = 0; l < report->limit_count; l++) {
        const struct report_limit *limit = &report->limits[l];
        struct json_object *object = json_object_new_object();
        put_text(object, "name", limit->name);
        put_count(object, "threads", limit->threads);
        put_count(object, "bytes", limit->bytes);
        put_number(object, "bytes_per_second", limit->bytes_per_second);
        put_number(object, "spread", limit->spread);
        json_object_array_add(limits, object);
    }
    return limits;
}

static struct json_object *list_points(const struct bench_report *report)
{
    struct json_object *points = json_object_new_array();
    for (size_t p = 0; p < report->point_count; p++) {
        const struct report_point *point = &report->points[p];
        struct json_object *object = json_object_new_object();
        put_text(object, "case", point->work);
        put_text(object, "type", point->type);
        put_text(object, "variant", point->variant);
        put_text(object, "peer", point->peer);
        put_count(object, "threads", point->threads);
        put_count(object, "elements", point->elements);
        put_count(object, "bytes", point->bytes);
        put_number(object, "seconds", point->time.seconds);
        put_number(object, "spread", point->time.spread);
        if (point->limit != NULL) {
            put_text(object, "limit", point->limit);
            put_number(object, "fraction", point->fraction);
        }
        json_object_array_add(points, object);
    }
    return points;
}

static struct json_object *list_rows(const struct bench_report *report)
{
    struct json_object *rows = json_object_new_array();
    for (size_t r = 0; r < report->row_count; r++) {
        const struct report_row *row = &report->rows[r];
        struct json_object *object = json_object_new_object();
        put_text(object, "work", row->work);
        put_text(object, "against", row->against);
        put_number(object, "at_least", row->at_least);
        put_number(object, "aim", row->aim);
        put_text(object, "verdict", row->verdict);
        put_text(object, "reap_flags", row->reap_flags);
        put_text(object, "baseline_flags", row->baseline_flags);
        if (row->why != NULL)
            put_text(object, "why", row->why);
        if (row->reap.seconds > 0) {
            put_number(object, "ratio", row->baseline.seconds / row->reap.seconds);
            put_number(object, "reap_seconds", row->reap.seconds);
            put_number(object, "baseline_seconds", row->baseline.seconds);
            put_number(object, "reap_spread", row->reap.spread);
            put_number(object, "baseline_spread", row->baseline.spread);
            put_count(object, "elements", row->elements);
            if (row->baseline_peer != NULL)
                put_text(object, "baseline", row->baseline_peer);
        }
        json_object_array_add(rows, object);
    }
    return rows;
}

bool report_has_json(void)
{
    return true;
}

void report_write_json(const struct bench_report *report, const char *path)
{
    struct json_object *object = json_object_new_object(), *reap = json_object_new_object();
    char date[32] = "";
    const time_t now = time(NULL);
    struct tm parts;
    if (gmtime_r(&now, &parts) != NULL)
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts);
    put_text(object, "format", "reap-bench");
    put_count(object, "version", 2);
    put_text(object, "command", report->command);
    put_text(object, "date", date);
    put_text(reap, "version", reap_version());
    put_text(reap, "revision", BENCH_REVISION);
    json_object_object_add(object, "reap", reap);
    json_object_object_add(object, "machine", describe_machine(&report->machine));
    put_count(object, "turns", report->settings.turns);
    put_number(object, "turn_seconds", report->settings.turn_seconds);
    put_number(object, "warm_seconds", report->settings.warm_seconds);
    json_object_object_add(object, "limits", list_limits(report));
    json_object_object_add(object, "peers", list_peers(report->peers));
    json_object_object_add(object, "points", list_points(report));
    json_object_object_add(object, "rows", list_rows(report));
    if (json_object_to_file_ext(path, object,
                                JSON_C_TO_STRING_PRETTY_TAB | JSON_C_TO_STRING_PRETTY) != 0)
        bench_fail(json_util_get_last_err());
    json_object_put(object);
}

#else

bool report_has_json(void)
{
    return false;
}

void report_write_json(const struct bench_report *report, const char *path)
{
    (void)report, (void)path;
    bench_fail("built without json-c, which writes the JSON file");
}

#endif
