/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON documents, by the library json-c if the tool was built with it. Numbers are passed as text,
 * so that the output does not depend on how the library writes doubles.
 */
#include "tools/json.h"

#include "tools/escape.h"
#include "tools/message.h"
#include "tools/read/element.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { OBJECT, ARRAY, TEXT, NUMBER, TRUTH, NOTHING };

#if CLI_HAVE_JSON

#include <json-c/json.h>

bool cli_json_is_here(void)
{
    return true;
}

/* A value; NULL for null, and if memory ran out. */
static struct json_object *make(enum kind kind, const char *text)
{
    switch (kind) {
    case OBJECT:
        return json_object_new_object();
    case ARRAY:
        return json_object_new_array();
    case TEXT:
        return json_object_new_string(text);
    case NUMBER:
        return json_object_new_double_s(0.0, text);
    case TRUTH:
        return json_object_new_boolean(strcmp(text, "true") == 0);
    default:
        return NULL;
    }
}

/* Puts a value at the current position; a container is open from then on. */
static void put(struct cli_json *json, const char *key, enum kind kind, const char *text)
{
    struct json_object *value = NULL,
                       *parent = json->depth > 0 ? json->open[json->depth - 1] : NULL;
    if (json->has_failed)
        return;
    value = make(kind, text);
    assert((parent != NULL && json_object_is_type(parent, json_type_object)) == (key != NULL));
    assert(parent != NULL || json->document == NULL);
    if (value == NULL && kind != NOTHING)
        json->has_failed = true;
    else if (parent == NULL)
        json->document = value;
    else if ((key != NULL ? json_object_object_add(parent, key, value)
                          : json_object_array_add(parent, value)) != 0) {
        json_object_put(value);
        json->has_failed = true;
    }
    if (json->has_failed || (kind != OBJECT && kind != ARRAY))
        return;
    assert(json->depth < CLI_JSON_DEPTH);
    json->open[json->depth++] = value;
}

/* Prints control characters as \\uXXXX. They occur only in strings; the library has escaped those
 * below U+0020. */
static void print_line(const char *text)
{
    size_t bytes;
    for (; *text != '\0'; text += bytes) {
        const uint32_t character = cli_read_character(text, &bytes);
        if (cli_is_control(character))
            printf("\\u%04" PRIx32, character);
        else
            fwrite(text, 1, bytes, stdout);
    }
    putchar('\n');
}

bool cli_json_print(struct cli_json *json)
{
    const char *text = NULL;
    assert(json->depth == 0 || json->has_failed);
    if (!json->has_failed)
        text = json_object_to_json_string_ext(json->document, JSON_C_TO_STRING_SPACED |
                                                                  JSON_C_TO_STRING_NOSLASHESCAPE);
    if (text != NULL)
        print_line(text);
    else
        cli_complain(NULL, "--json: %s", strerror(ENOMEM));
    json_object_put(json->document);
    *json = (struct cli_json){.document = NULL};
    return text != NULL;
}

#else

bool cli_json_is_here(void)
{
    cli_complain(NULL, "--json: this tool was built without the library json-c");
    return false;
}

static void put(struct cli_json *json, const char *key, enum kind kind, const char *text)
{
    (void)json;
    (void)key;
    (void)kind;
    (void)text;
}

bool cli_json_print(struct cli_json *json)
{
    (void)json;
    return cli_json_is_here();
}

#endif

/* ---- Containers -------------------------------------------------------------------------------*/

void cli_json_open_object(struct cli_json *json, const char *key)
{
    put(json, key, OBJECT, NULL);
}

void cli_json_open_array(struct cli_json *json, const char *key)
{
    put(json, key, ARRAY, NULL);
}

void cli_json_close(struct cli_json *json)
{
    if (json->depth > 0)
        json->depth--;
}

/* ---- Values -----------------------------------------------------------------------------------*/

void cli_json_put_text(struct cli_json *json, const char *key, const char *text)
{
    static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */
    const char *from = text;
    size_t bytes;
    char *right = malloc(strlen(text) * strlen(replacement) + 1), *to = right;
    if (right == NULL) {
        json->has_failed = true;
        return;
    }
    for (; *from != '\0'; from += bytes) {
        const bool is_right = cli_read_character(from, &bytes) != CLI_NO_CHARACTER;
        const size_t length = is_right ? bytes : strlen(replacement);
        memcpy(to, is_right ? from : replacement, length);
        to += length;
    }
    *to = '\0';
    put(json, key, TEXT, right);
    free(right);
}

void cli_json_put_digits(struct cli_json *json, const char *key, const char *digits)
{
    put(json, key, NUMBER, digits);
}

void cli_json_put_double(struct cli_json *json, const char *key, double value)
{
    char text[CLI_NUMBER_BYTES];
    cli_double_write(value, text);
    if (value == 0 && signbit(value))
        snprintf(text, sizeof text, "-0.0"); /* readers would read -0 as the integer 0 */
    put(json, key, isfinite(value) ? NUMBER : NOTHING, text);
}

void cli_json_put_unsigned(struct cli_json *json, const char *key, uint64_t value)
{
    char text[CLI_NUMBER_BYTES];
    snprintf(text, sizeof text, "%" PRIu64, value);
    put(json, key, NUMBER, text);
}

void cli_json_put_bool(struct cli_json *json, const char *key, bool value)
{
    put(json, key, TRUTH, value ? "true" : "false");
}

void cli_json_put_null(struct cli_json *json, const char *key)
{
    put(json, key, NOTHING, NULL);
}
