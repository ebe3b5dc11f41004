/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON documents, for --json. A document is built from outside in: a container is opened, filled
 * and closed. Values of an object have a key; those of an array, and the outermost value, have
 * NULL. cli_json_print reports memory that ran out; it need not be checked before.
 */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>

struct json_object; /* json-c's */

enum { CLI_JSON_DEPTH = 16 };

/* All zero: an empty document. */
struct cli_json {
    struct json_object *document;
    struct json_object *open[CLI_JSON_DEPTH]; /* the containers that are open */
    int depth;
    bool has_failed;
};

/* Returns whether this tool was built with JSON; if not, complains. Call it before any work. */
bool cli_json_is_here(void);

void cli_json_open_object(struct cli_json *json, const char *key);
void cli_json_open_array(struct cli_json *json, const char *key);
void cli_json_close(struct cli_json *json);

/* Text in UTF-8; U+FFFD replaces each byte that is not part of a character, as in names of files.
 * Characters that control a terminal (escape.h) are printed as \uXXXX. */
void cli_json_put_text(struct cli_json *json, const char *key, const char *text);

/* The shortest decimal number that is read as the same double; null for infinities and NaN. */
void cli_json_put_double(struct cli_json *json, const char *key, double value);
void cli_json_put_unsigned(struct cli_json *json, const char *key, uint64_t value);

/* A number as it is written in the text, valid in JSON: integers may have more than 64 bits. */
void cli_json_put_digits(struct cli_json *json, const char *key, const char *digits);
void cli_json_put_bool(struct cli_json *json, const char *key, bool value);
void cli_json_put_null(struct cli_json *json, const char *key);

/* Prints the document on standard output, as one line, and frees it, so that another may be begun.
 * If memory ran out, complains, prints nothing, and returns false. */
bool cli_json_print(struct cli_json *json);

#endif
