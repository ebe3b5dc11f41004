/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON documents, for --json. A document is built from outside in: a container is opened, filled
 * and closed. What goes into an object has a key; what goes into an array, and the outermost value,
 * has NULL. Memory that runs out is told by cli_json_print, and need not be looked for before.
 */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>

struct json_object; /* json-c's */

enum { CLI_JSON_DEPTH = 16 };

/* All zero: a document with nothing in it yet. */
struct cli_json {
    struct json_object *document;
    struct json_object *open[CLI_JSON_DEPTH]; /* the containers around what comes next */
    int depth;
    bool has_failed;
};

/* Whether this tool was built with JSON; complains where it was not. To be asked before any work
 * is done. */
bool cli_json_is_here(void);

void cli_json_open_object(struct cli_json *json, const char *key);
void cli_json_open_array(struct cli_json *json, const char *key);
void cli_json_close(struct cli_json *json);

/* Text in UTF-8; U+FFFD takes the place of each byte that belongs to none, as in names of files.
 * What a terminal would obey (escape.h) is printed as \uXXXX. */
void cli_json_put_text(struct cli_json *json, const char *key, const char *text);

/* The shortest decimal number that is read as the same double; null for infinities and NaN. */
void cli_json_put_double(struct cli_json *json, const char *key, double value);
void cli_json_put_unsigned(struct cli_json *json, const char *key, uint64_t value);

/* A number as it stands in the text, which is one in JSON: integers of more than 64 bits. */
void cli_json_put_digits(struct cli_json *json, const char *key, const char *digits);
void cli_json_put_bool(struct cli_json *json, const char *key, bool value);
void cli_json_put_null(struct cli_json *json, const char *key);

/* Prints the document on standard output, as one line; frees it, so that another may be begun.
 * Where memory has run out it complains, prints nothing, and gives false. */
bool cli_json_print(struct cli_json *json);

#endif
