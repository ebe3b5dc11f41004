/* SPDX-License-Identifier: Apache-2.0
 *
 * Recursive descent with operator levels. A value may be unknown; && and || and ?: have a value if
 * those of their operands that count are known. Names are decided only in operands that C
 * evaluates. An expression that compilers refuse has no value.
 */
#include "src/accelerator/preprocess/conditions.h"

#include <reap/version.h>

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { MOST_DEPTH = 100, MOST_READINGS = 256 };

struct value {
    uint64_t bits;
    bool is_unsigned, is_known;
};

struct expression {
    struct reap__condition *condition;
    const struct reap__token *at, *end;
    unsigned depth;
    bool is_broken; /* no compiler accepts it, or it is nested too deep */
};

static const struct value unknown = {0, false, false};

static struct value known(uint64_t bits, bool is_unsigned)
{
    return (struct value){bits, is_unsigned, true};
}

static bool is_word(const char *text, size_t length, const char *expected)
{
    return strlen(expected) == length && memcmp(text, expected, length) == 0;
}

/* ---- Macros of C's headers --------------------------------------------------------------------*/

/* Those with one value on all devices, which device/constants.h has, too. */
#define IS_UNSIGNED(x)                                                                             \
    _Generic((x), unsigned : true, unsigned long : true, unsigned long long : true, default : false)
#define CONSTANT(name)                                                                             \
    {                                                                                              \
#name,                                                                                     \
        {                                                                                          \
            (uint64_t)(name), IS_UNSIGNED(name), true                                              \
        }                                                                                          \
    }
static const struct {
    const char *name;
    struct value value;
} constants[] = {CONSTANT(CHAR_BIT),
                 CONSTANT(SCHAR_MIN),
                 CONSTANT(SCHAR_MAX),
                 CONSTANT(UCHAR_MAX),
                 CONSTANT(SHRT_MIN),
                 CONSTANT(SHRT_MAX),
                 CONSTANT(USHRT_MAX),
                 CONSTANT(INT_MIN),
                 CONSTANT(INT_MAX),
                 CONSTANT(UINT_MAX),
                 CONSTANT(LONG_MIN),
                 CONSTANT(LONG_MAX),
                 CONSTANT(ULONG_MAX),
                 CONSTANT(LLONG_MIN),
                 CONSTANT(LLONG_MAX),
                 CONSTANT(ULLONG_MAX),
                 CONSTANT(INT8_MIN),
                 CONSTANT(INT8_MAX),
                 CONSTANT(UINT8_MAX),
                 CONSTANT(INT16_MIN),
                 CONSTANT(INT16_MAX),
                 CONSTANT(UINT16_MAX),
                 CONSTANT(INT32_MIN),
                 CONSTANT(INT32_MAX),
                 CONSTANT(UINT32_MAX),
                 CONSTANT(INT64_MIN),
                 CONSTANT(INT64_MAX),
                 CONSTANT(UINT64_MAX),
                 CONSTANT(INT_LEAST8_MIN),
                 CONSTANT(INT_LEAST8_MAX),
                 CONSTANT(UINT_LEAST8_MAX),
                 CONSTANT(INT_LEAST16_MIN),
                 CONSTANT(INT_LEAST16_MAX),
                 CONSTANT(UINT_LEAST16_MAX),
                 CONSTANT(INT_LEAST32_MIN),
                 CONSTANT(INT_LEAST32_MAX),
                 CONSTANT(UINT_LEAST32_MAX),
                 CONSTANT(INT_LEAST64_MIN),
                 CONSTANT(INT_LEAST64_MAX),
                 CONSTANT(UINT_LEAST64_MAX),
                 CONSTANT(INT_FAST8_MIN),
                 CONSTANT(INT_FAST8_MAX),
                 CONSTANT(UINT_FAST8_MAX),
                 CONSTANT(INT_FAST64_MIN),
                 CONSTANT(INT_FAST64_MAX),
                 CONSTANT(UINT_FAST64_MAX),
                 CONSTANT(INTPTR_MIN),
                 CONSTANT(INTPTR_MAX),
                 CONSTANT(UINTPTR_MAX),
                 CONSTANT(INTMAX_MIN),
                 CONSTANT(INTMAX_MAX),
                 CONSTANT(UINTMAX_MAX),
                 CONSTANT(PTRDIFF_MIN),
                 CONSTANT(PTRDIFF_MAX),
                 CONSTANT(SIZE_MAX),
                 CONSTANT(FLT_RADIX),
                 CONSTANT(FLT_MANT_DIG),
                 CONSTANT(FLT_DIG),
                 CONSTANT(FLT_DECIMAL_DIG),
                 CONSTANT(FLT_MIN_EXP),
                 CONSTANT(FLT_MIN_10_EXP),
                 CONSTANT(FLT_MAX_EXP),
                 CONSTANT(FLT_MAX_10_EXP),
                 CONSTANT(FLT_HAS_SUBNORM),
                 CONSTANT(DBL_MANT_DIG),
                 CONSTANT(DBL_DIG),
                 CONSTANT(DBL_DECIMAL_DIG),
                 CONSTANT(DBL_MIN_EXP),
                 CONSTANT(DBL_MIN_10_EXP),
                 CONSTANT(DBL_MAX_EXP),
                 CONSTANT(DBL_MAX_10_EXP),
                 CONSTANT(DBL_HAS_SUBNORM),
                 CONSTANT(FP_NAN),
                 CONSTANT(FP_INFINITE),
                 CONSTANT(FP_ZERO),
                 CONSTANT(FP_SUBNORMAL),
                 CONSTANT(FP_NORMAL),
                 CONSTANT(REAP_VERSION_MAJOR),
                 CONSTANT(REAP_VERSION_MINOR),
                 CONSTANT(REAP_VERSION_PATCH),
                 {"REAP_SUB_GROUP_SIZE", {32, false, true}}};

/* Also defined on all devices, with values that may differ, or are not integers. */
static const char *const defined_names[] = {"CHAR_MIN",        "CHAR_MAX",        "INT_FAST16_MIN",
                                            "INT_FAST16_MAX",  "UINT_FAST16_MAX", "INT_FAST32_MIN",
                                            "INT_FAST32_MAX",  "UINT_FAST32_MAX", "FLT_ROUNDS",
                                            "FLT_EVAL_METHOD", "DECIMAL_DIG",     "FLT_MAX",
                                            "FLT_MIN",         "FLT_TRUE_MIN",    "FLT_EPSILON",
                                            "DBL_MAX",         "DBL_MIN",         "DBL_TRUE_MIN",
                                            "DBL_EPSILON",     "INFINITY",        "NAN",
                                            "HUGE_VAL",        "HUGE_VALF",       "NULL",
                                            "offsetof",        "assert",          "INT8_C",
                                            "INT16_C",         "INT32_C",         "INT64_C",
                                            "INTMAX_C",        "UINT8_C",         "UINT16_C",
                                            "UINT32_C",        "UINT64_C",        "UINTMAX_C"};

static bool find_constant(const char *name, size_t length, struct value *value)
{
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (is_word(name, length, constants[i].name)) {
            *value = constants[i].value;
            return true;
        }
    return false;
}

/* Whether a macro is defined by the headers that kernels include. */
static bool is_of_headers(const char *name, size_t length)
{
    struct value value;
    for (size_t i = 0; i < sizeof defined_names / sizeof *defined_names; i++)
        if (is_word(name, length, defined_names[i]))
            return true;
    return find_constant(name, length, &value);
}

/* Whether the type of INT8_C(x) and its like is known to be signed (1) or unsigned (2); 0: it is
 * another name. */
static int type_of_constant(const char *name, size_t length)
{
    static const char *const names[] = {"INT8_C",  "INT16_C",  "INT32_C",  "INT64_C",  "INTMAX_C",
                                        "UINT8_C", "UINT16_C", "UINT32_C", "UINT64_C", "UINTMAX_C"};
    enum { FIRST_UNSIGNED = 7 }; /* the small ones are promoted to int */
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
        if (is_word(name, length, names[i]))
            return i < FIRST_UNSIGNED ? 1 : 2;
    return 0;
}

/* ---- What is not known ------------------------------------------------------------------------*/

static const char *text_of(const struct expression *expression, const struct reap__token *token)
{
    return expression->condition->characters + token->begin;
}

static void ask(const struct expression *expression, const struct reap__token *token)
{
    struct reap__string *asked = expression->condition->asked;
    reap__string_append(asked, text_of(expression, token), token->length);
    reap__string_append(asked, "", 1);
}

/* The choice for this key in the current reading; a new one is first false. */
static bool choose(struct reap__choices *choices, const char *key, size_t length)
{
    const char *at = choices->keys.bytes;
    for (size_t i = 0; i < choices->made.length; i++, at += strlen(at) + 1)
        if (is_word(key, length, at))
            return choices->made.bytes[i] != 0;
    reap__string_append(&choices->keys, key, length);
    reap__string_append(&choices->keys, "", 1);
    reap__string_append(&choices->made, "", 1);
    return false;
}

bool reap__choices_next(struct reap__choices *choices)
{
    struct reap__string *made = &choices->made;
    while (made->length > 0 && made->bytes[made->length - 1] != 0)
        made->length--;
    if (made->length == 0 || made->failed || choices->keys.failed)
        return false;
    choices->are_too_many = ++choices->readings >= MOST_READINGS;
    if (choices->are_too_many)
        return false;
    made->bytes[made->length - 1] = 1;
    const char *at = choices->keys.bytes;
    for (size_t i = 0; i < made->length; i++)
        at += strlen(at) + 1;
    choices->keys.length = (size_t)(at - choices->keys.bytes);
    return true;
}

bool reap__choices_failed(const struct reap__choices *choices)
{
    return choices->keys.failed || choices->made.failed;
}

void reap__choices_release(struct reap__choices *choices)
{
    reap__string_release(&choices->keys);
    reap__string_release(&choices->made);
}

/* Whether a name that the text does not define is defined by the language that the choices are
 * about: 1 or 0; -1: not known. */
static int is_of_language(const struct reap__choices *choices, const char *name, size_t length)
{
    static const char *const of_opencl[] = {"__OPENCL_VERSION__", "__OPENCL_C_VERSION__"};
    static const char *const of_cuda[] = {"__CUDACC__", "__CUDACC_RTC__", "__CUDA_ARCH__",
                                          "__NVCC__", "__cplusplus"};
    if (choices == NULL || choices->dialect != REAP__DIALECT_OPENCL)
        return -1;
    for (size_t i = 0; i < sizeof of_opencl / sizeof *of_opencl; i++)
        if (is_word(name, length, of_opencl[i]))
            return 1;
    for (size_t i = 0; i < sizeof of_cuda / sizeof *of_cuda; i++)
        if (is_word(name, length, of_cuda[i]))
            return 0;
    return -1;
}

/* Whether the name, which the text does not define, is defined. */
static bool is_defined(const struct expression *expression, const struct reap__token *name)
{
    struct reap__condition *condition = expression->condition;
    const char *text = text_of(expression, name);
    if (is_of_headers(text, name->length))
        return true;
    const int of_language = is_of_language(condition->choices, text, name->length);
    if (of_language >= 0)
        return of_language == 1;
    ask(expression, name);
    condition->is_certain = false;
    return condition->choices != NULL && choose(condition->choices, text, name->length);
}

/* ---- Operands ---------------------------------------------------------------------------------*/

static struct value evaluate(struct expression *expression, int least, bool is_live);

static bool is_next(const struct expression *expression, const char *expected)
{
    return expression->at < expression->end &&
           is_word(text_of(expression, expression->at), expression->at->length, expected);
}

static bool accept(struct expression *expression, const char *expected)
{
    const bool is_here = is_next(expression, expected);
    if (is_here)
        expression->at++;
    return is_here;
}

static unsigned digit_of(char c)
{
    return c >= '0' && c <= '9'   ? (unsigned)(c - '0')
           : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
           : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                  : 99;
}

static struct value read_number(const char *text, size_t length)
{
    static const char *const suffixes[] = {"",   "l",  "L",  "ll",  "LL",  "u",   "U",   "ul",
                                           "uL", "Ul", "UL", "ull", "uLL", "Ull", "ULL", "lu",
                                           "lU", "Lu", "LU", "llu", "llU", "LLu", "LLU"};
    enum { FIRST_UNSIGNED = 5 };
    unsigned base = 10;
    size_t at = 0, first;
    if (text[0] == '0' && length > 1) {
        base = text[1] == 'x' || text[1] == 'X' ? 16 : text[1] == 'b' || text[1] == 'B' ? 2 : 8;
        at = base != 8 ? 2 : 0;
    }
    uint64_t bits = 0;
    for (first = at; at < length && digit_of(text[at]) < base; at++) {
        const uint64_t digit = digit_of(text[at]);
        if (bits > (UINT64_MAX - digit) / base)
            return unknown;
        bits = bits * base + digit;
    }
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes && at > first; i++)
        if (is_word(text + at, length - at, suffixes[i]))
            return known(bits, i >= FIRST_UNSIGNED || bits > INT64_MAX);
    return unknown;
}

/* The value of the escape sequence of `length` characters after a backslash. */
static struct value read_escape(const char *text, size_t length)
{
    static const char letters[] = "abfnrtve'\"?\\", values[] = "\a\b\f\n\r\t\v\033'\"?\\";
    const bool is_hexadecimal = text[0] == 'x';
    const unsigned base = is_hexadecimal ? 16 : 8;
    const char *letter = strchr(letters, text[0]);
    if (length == 1 && letter != NULL)
        return known((uint64_t)values[letter - letters], false);
    uint64_t bits = 0;
    for (size_t i = is_hexadecimal; i < length; i++) {
        if (digit_of(text[i]) >= base || bits > UINT32_MAX)
            return unknown;
        bits = bits * base + digit_of(text[i]);
    }
    return length > is_hexadecimal && (is_hexadecimal || length <= 3) ? known(bits, false)
                                                                      : unknown;
}

/* A character constant, from its quote on. Unknown are several characters, and those that are not
 * ASCII: char has no sign on some hosts, nor wchar_t. */
static struct value read_character(const char *text, size_t length)
{
    struct value value = unknown;
    if (length == 3 && text[1] != '\\' && text[1] != '\'' && text[2] == '\'')
        value = known((unsigned char)text[1], false);
    else if (length > 3 && text[1] == '\\' && text[length - 1] == '\'')
        value = read_escape(text + 2, length - 3);
    return value.is_known && value.bits < 0x80 ? value : unknown;
}

/* Skips what the parentheses here contain. */
static void skip_parentheses(struct expression *expression)
{
    size_t open = 0;
    do {
        open += is_next(expression, "(");
        open -= is_next(expression, ")");
        expression->at++;
    } while (open > 0 && expression->at < expression->end);
    expression->is_broken |= open > 0;
}

/* A name that the text does not define. */
static struct value read_name(struct expression *expression, bool is_live)
{
    static const char *const prefixes[] = {"L", "u", "U", "u8"};
    const struct reap__token *name = expression->at++;
    const char *text = text_of(expression, name);
    struct value value = unknown;
    if (is_next(expression, "(")) { /* __has_include(...), or a macro that is not known */
        const int type = type_of_constant(text, name->length);
        if (type != 0) {
            accept(expression, "(");
            value = evaluate(expression, 0, is_live);
            expression->is_broken |= !accept(expression, ")");
            value.is_unsigned = type == 2;
            return value;
        }
        skip_parentheses(expression);
        ask(expression, name);
        return value;
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (is_word(text, name->length, prefixes[i]) && text[name->length] == '\'' &&
            expression->at < expression->end) {
            const struct reap__token *constant = expression->at++;
            value = read_character(text_of(expression, constant), constant->length);
            if (!value.is_known)
                ask(expression, constant);
            return value;
        }
    if (is_word(text, name->length, "true") || is_word(text, name->length, "false"))
        return known(text[0] == 't', false);
    if (find_constant(text, name->length, &value))
        return value;
    if (!is_live || is_of_headers(text, name->length)) {
        ask(expression, name);
        return unknown;
    }
    return is_defined(expression, name) ? unknown : known(0, false);
}

static struct value read_defined(struct expression *expression, bool is_live)
{
    const struct reap__token *name = expression->at++;
    expression->is_broken |= name >= expression->end || !name->is_word;
    if (expression->is_broken)
        return unknown;
    if (!is_live) {
        ask(expression, name);
        return unknown;
    }
    return known(is_defined(expression, name), false);
}

static struct value read_primary(struct expression *expression, bool is_live)
{
    if (expression->at >= expression->end) {
        expression->is_broken = true;
        return unknown;
    }
    const struct reap__token *token = expression->at;
    const char *text = text_of(expression, token);
    if (accept(expression, "(")) {
        const struct value value = evaluate(expression, 0, is_live);
        expression->is_broken |= !accept(expression, ")");
        return value;
    }
    if (accept(expression, "defined"))
        return read_defined(expression, is_live);
    if (token->is_word)
        return read_name(expression, is_live);
    expression->at++;
    if (*text >= '0' && *text <= '9')
        return read_number(text, token->length);
    expression->is_broken |= *text != '\'';
    const struct value value = read_character(text, token->length);
    if (!value.is_known && *text == '\'')
        ask(expression, token);
    return value;
}

/* ---- Operators --------------------------------------------------------------------------------*/

static struct value read_operand(struct expression *expression, bool is_live)
{
    static const char *const unary[] = {"!", "-", "~", "+"};
    size_t u = 0;
    while (u < sizeof unary / sizeof *unary && !accept(expression, unary[u]))
        u++;
    if (u == sizeof unary / sizeof *unary)
        return read_primary(expression, is_live);
    if (++expression->depth > MOST_DEPTH) {
        expression->is_broken = true;
        return unknown;
    }
    struct value value = read_operand(expression, is_live);
    expression->depth--;
    if (unary[u][0] == '!')
        value = (struct value){value.bits == 0, false, value.is_known};
    else if (unary[u][0] == '-')
        value.bits = 0 - value.bits;
    else if (unary[u][0] == '~')
        value.bits = ~value.bits;
    return value;
}

static const struct {
    const char *word;
    int level;
} operators[] = {{"?", 1},  {"||", 2}, {"&&", 3}, {"|", 4},  {"^", 5},  {"&", 6},  {"==", 7},
                 {"!=", 7}, {"<", 8},  {">", 8},  {"<=", 8}, {">=", 8}, {"<<", 9}, {">>", 9},
                 {"+", 10}, {"-", 10}, {"*", 11}, {"/", 11}, {"%", 11}};
enum { OPERATORS = sizeof operators / sizeof *operators };

static bool is_negative(struct value value)
{
    return !value.is_unsigned && value.bits > INT64_MAX;
}

static bool is_less(struct value a, struct value b)
{
    const bool is_unsigned = a.is_unsigned || b.is_unsigned;
    const uint64_t sign = is_unsigned ? 0 : (uint64_t)1 << 63;
    return (a.bits ^ sign) < (b.bits ^ sign);
}

static struct value compare(const char *word, struct value a, struct value b)
{
    const bool is_equal = a.bits == b.bits;
    bool answer = word[0] == '=' ? is_equal : !is_equal;
    if (word[0] == '<')
        answer = is_less(a, b) || (word[1] == '=' && is_equal);
    else if (word[0] == '>')
        answer = is_less(b, a) || (word[1] == '=' && is_equal);
    return known(answer, false);
}

/* Unknown where C leaves it undefined. */
static struct value shift(bool is_left, struct value a, struct value b)
{
    if (b.bits >= 64)
        return unknown;
    const uint64_t fill = !is_left && is_negative(a) && b.bits > 0 ? ~(UINT64_MAX >> b.bits) : 0;
    return known(is_left ? a.bits << b.bits : a.bits >> b.bits | fill, a.is_unsigned);
}

static struct value divide(bool is_quotient, struct value a, struct value b)
{
    const bool is_unsigned = a.is_unsigned || b.is_unsigned;
    if (b.bits == 0 || (!is_unsigned && b.bits == UINT64_MAX && a.bits == (uint64_t)1 << 63))
        return unknown;
    if (is_unsigned)
        return known(is_quotient ? a.bits / b.bits : a.bits % b.bits, true);
    const int64_t x = (int64_t)a.bits, y = (int64_t)b.bits;
    return known((uint64_t)(is_quotient ? x / y : x % y), false);
}

/* An operator other than && and ||, of operands that are known. */
static struct value apply(const char *word, struct value a, struct value b)
{
    const bool is_unsigned = a.is_unsigned || b.is_unsigned;
    switch (word[0]) {
    case '|':
        return known(a.bits | b.bits, is_unsigned);
    case '&':
        return known(a.bits & b.bits, is_unsigned);
    case '^':
        return known(a.bits ^ b.bits, is_unsigned);
    case '+':
        return known(a.bits + b.bits, is_unsigned);
    case '-':
        return known(a.bits - b.bits, is_unsigned);
    case '*':
        return known(a.bits * b.bits, is_unsigned);
    case '/':
    case '%':
        return divide(word[0] == '/', a, b);
    default:
        return word[1] == word[0] && word[0] != '=' ? shift(word[0] == '<', a, b)
                                                    : compare(word, a, b);
    }
}

static bool is_zero(struct value value)
{
    return value.is_known && value.bits == 0;
}

static bool is_one(struct value value)
{
    return value.is_known && value.bits != 0;
}

/* `left` && or || what follows. */
static struct value join(struct expression *expression, struct value left, int level, bool is_live)
{
    const bool is_or = level == 2;
    const bool is_decided = is_or ? is_one(left) : is_zero(left);
    const struct value right = evaluate(expression, level + 1, is_live && !is_decided);
    if (is_decided || (is_or ? is_one(right) : is_zero(right)))
        return known(is_or, false);
    return left.is_known && right.is_known ? known(!is_or, false) : unknown;
}

/* The rest of `condition` ? yes : no, after the ?. */
static struct value select_operand(struct expression *expression, struct value condition,
                                   bool is_live)
{
    const struct value yes = evaluate(expression, 0, is_live && !is_zero(condition));
    expression->is_broken |= !accept(expression, ":");
    const struct value no = evaluate(expression, 1, is_live && !is_one(condition));
    struct value value = is_zero(condition) ? no : yes;
    const struct value other = is_zero(condition) ? yes : no;
    value.is_unsigned = yes.is_unsigned || no.is_unsigned;
    value.is_known &= condition.is_known && (other.is_known || value.bits <= INT64_MAX);
    return value;
}

static struct value evaluate(struct expression *expression, int least, bool is_live)
{
    if (++expression->depth > MOST_DEPTH) {
        expression->is_broken = true;
        return unknown;
    }
    struct value value = read_operand(expression, is_live);
    while (!expression->is_broken) {
        size_t o = 0;
        while (o < OPERATORS &&
               (operators[o].level < least || !is_next(expression, operators[o].word)))
            o++;
        if (o == OPERATORS)
            break;
        expression->at++;
        const int level = operators[o].level;
        if (level == 1) {
            value = select_operand(expression, value, is_live);
        } else if (level <= 3) {
            value = join(expression, value, level, is_live);
        } else {
            const struct value right = evaluate(expression, level + 1, is_live);
            value =
                value.is_known && right.is_known ? apply(operators[o].word, value, right) : unknown;
        }
    }
    expression->depth--;
    return value;
}

/* The choice for an expression whose value is not known, in the words of the text. */
static bool choose_value(struct reap__condition *condition)
{
    struct reap__string key = {0};
    for (const struct reap__token *at = condition->at; at < condition->end; at++) {
        reap__string_append(&key, condition->characters + at->begin, at->length);
        reap__string_append(&key, " ", 1);
    }
    const bool choice =
        key.length > 0 && !key.failed && choose(condition->choices, key.bytes, key.length);
    condition->choices->keys.failed |= key.failed;
    reap__string_release(&key);
    return choice;
}

bool reap__condition_is_true(struct reap__condition *condition)
{
    struct expression expression = {condition, condition->at, condition->end, 0, false};
    condition->is_certain = true;
    const struct value value = evaluate(&expression, 0, true);
    if (value.is_known && !expression.is_broken && expression.at == expression.end)
        return value.bits != 0;
    condition->is_certain = false;
    return condition->choices != NULL && choose_value(condition);
}
