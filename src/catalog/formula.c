// SPDX-License-Identifier: Apache-2.0

#include "catalog/formula.h"

#include "base/container/arena.h"
#include "base/container/array.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// formula_collect_names() finds all names first, sorted, so that a name is an index. A recursive
// descent parser (sum, product, factor, operand) emits steps in reverse Polish notation. Evaluation
// is a loop with a stack of fixed size: the depth is bounded by the number of parentheses, which
// the parser limits. Numbers are parsed here and not by strtod(), which depends on the locale.

enum {
	MAX_LENGTH = 4096,
	MAX_PARENTHESES = 64,
	// So that a number is exact in a double.
	MAX_DIGITS = 15,
	// A level holds back a term and a factor while it waits for the next one.
	STACK_SIZE = 2 * (MAX_PARENTHESES + 1) + 1,
};

//	sum = product {("+" | "-") product}
//	product = factor {("*" | "/") factor}
//	factor = {"-"} operand
//	operand = number | name | "(" sum ")"
//
// Each rule is a function of its name. A division by 0 makes the whole result 0, as the counter
// that divides has counted nothing.

enum op_kind {
	OP_NUMBER,
	OP_NAME,
	OP_NEGATE,
	OP_ADD,
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE,
};

/** A step in reverse Polish notation. */
struct op {
	enum op_kind kind;
	double number;
	size_t name;
};

struct formula {
	struct arena arena;
	struct op *ops;
	size_t num_ops, cap_ops;
	const char **names;
	size_t num_names, cap_names;
};

struct parser {
	struct formula *formula;
	const char *text;
	const char *at;
	unsigned parentheses;
};

void formula_destroy(struct formula *formula)
{
	if (!formula)
		return;
	free(formula->ops);
	free(formula->names);
	arena_deinit(&formula->arena);
	free(formula);
}

static bool formula_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool starts_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static size_t name_length(const char *text)
{
	size_t length = 0;
	while (starts_name(text[length]) || (length && formula_is_digit(text[length])))
		length++;
	return length;
}

static int formula_compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static struct error *formula_collect_names(struct formula *formula, const char *text)
{
	while (*text) {
		size_t length = name_length(text);
		if (!length) {
			text++;
			continue;
		}
		struct error *err =
			array_reserve(&formula->names, &formula->cap_names, formula->num_names + 1);
		if (err)
			return err;
		const char *name = arena_strndup(&formula->arena, text, length);
		if (!name)
			return &error_no_memory;
		formula->names[formula->num_names++] = name;
		text += length;
	}
	if (formula->num_names == 0)
		return NULL;
	// Sorted, and each once.
	qsort(formula->names, formula->num_names, sizeof(*formula->names), formula_compare_names);
	size_t num_unique = 1;
	for (size_t i = 1; i < formula->num_names; i++)
		if (strcmp(formula->names[i], formula->names[num_unique - 1]) != 0)
			formula->names[num_unique++] = formula->names[i];
	formula->num_names = num_unique;
	return NULL;
}

static struct error *syntax_error(const struct parser *parser, const char *what)
{
	return error_create(ERROR_FAILED, "formula '%s': %s at column %zu", parser->text, what,
			    (size_t)(parser->at - parser->text) + 1);
}

static struct error *formula_emit(struct parser *parser, const struct op *op)
{
	struct formula *formula = parser->formula;
	struct error *err = array_reserve(&formula->ops, &formula->cap_ops, formula->num_ops + 1);
	if (err)
		return err;
	formula->ops[formula->num_ops++] = *op;
	return NULL;
}

static void formula_skip_blanks(struct parser *parser)
{
	parser->at += strspn(parser->at, " \t");
}

/** Is the next character one of @operators? Take it if so. */
static char take_operator(struct parser *parser, const char *operators)
{
	formula_skip_blanks(parser);
	if (!*parser->at || !strchr(operators, *parser->at))
		return '\0';
	return *parser->at++;
}

static struct error *formula_parse_number(struct parser *parser)
{
	const char *at = parser->at;
	double digits = 0;
	double scale = 1;
	unsigned num_digits = 0;
	for (; formula_is_digit(*at); at++, num_digits++)
		digits = digits * 10 + (*at - '0');
	if (at[0] == '.' && formula_is_digit(at[1])) {
		for (at++; formula_is_digit(*at); at++, num_digits++, scale *= 10)
			digits = digits * 10 + (*at - '0');
	}
	if (num_digits > MAX_DIGITS)
		return syntax_error(parser, "number has too many digits");
	parser->at = at;
	return formula_emit(parser, &(struct op){.kind = OP_NUMBER, .number = digits / scale});
}

static struct error *formula_parse_name(struct parser *parser)
{
	const struct formula *formula = parser->formula;
	size_t length = name_length(parser->at);
	// It is there: formula_collect_names() has found all names by the same rule.
	size_t i = 0;
	while (strncmp(formula->names[i], parser->at, length) != 0 || formula->names[i][length])
		i++;
	parser->at += length;
	return formula_emit(parser, &(struct op){.kind = OP_NAME, .name = i});
}

static struct error *parse_sum(struct parser *parser);

static struct error *parse_operand(struct parser *parser)
{
	if (formula_is_digit(*parser->at))
		return formula_parse_number(parser);
	if (starts_name(*parser->at))
		return formula_parse_name(parser);
	if (*parser->at != '(')
		return syntax_error(parser, "expected a number, a name or '('");
	if (parser->parentheses == MAX_PARENTHESES)
		return syntax_error(parser, "too many levels of parentheses");
	parser->parentheses++;
	parser->at++;
	struct error *err = parse_sum(parser);
	if (err)
		return err;
	parser->parentheses--;
	if (!take_operator(parser, ")"))
		return syntax_error(parser, "expected an operator or ')'");
	return NULL;
}

static struct error *parse_factor(struct parser *parser)
{
	// In a loop: MAX_PARENTHESES would not bound a recursion for each sign.
	bool negative = false;
	while (take_operator(parser, "-"))
		negative = !negative;
	struct error *err = parse_operand(parser);
	if (err || !negative)
		return err;
	return formula_emit(parser, &(struct op){.kind = OP_NEGATE});
}

static struct error *parse_product(struct parser *parser)
{
	struct error *err = parse_factor(parser);
	for (char c; !err && (c = take_operator(parser, "*/"));) {
		err = parse_factor(parser);
		if (!err)
			err = formula_emit(parser, &(struct op){.kind = c == '*' ? OP_MULTIPLY
										 : OP_DIVIDE});
	}
	return err;
}

static struct error *parse_sum(struct parser *parser)
{
	struct error *err = parse_product(parser);
	for (char c; !err && (c = take_operator(parser, "+-"));) {
		err = parse_product(parser);
		if (!err)
			err = formula_emit(parser,
					   &(struct op){.kind = c == '+' ? OP_ADD : OP_SUBTRACT});
	}
	return err;
}

struct error *formula_compile(const char *text, struct formula **ret)
{
	if (strlen(text) > MAX_LENGTH)
		return error_create(ERROR_FAILED, "formula '%.40s...' is longer than %d characters",
				    text, MAX_LENGTH);
	_cleanup_(formula_destroyp) struct formula *formula = calloc(1, sizeof(*formula));
	if (!formula)
		return &error_no_memory;
	struct error *err = formula_collect_names(formula, text);
	if (err)
		return err;
	struct parser parser = {.formula = formula, .text = text, .at = text};
	err = parse_sum(&parser);
	if (err)
		return err;
	formula_skip_blanks(&parser);
	if (*parser.at)
		return syntax_error(&parser, "expected an operator");
	*ret = take_ptr(formula);
	return NULL;
}

size_t formula_num_names(const struct formula *formula)
{
	return formula->num_names;
}

const char *formula_name(const struct formula *formula, size_t i)
{
	return formula->names[i];
}

/** False if @b must not divide. */
static bool formula_apply(enum op_kind kind, double *a, double b)
{
	switch (kind) {
	case OP_ADD:
		*a += b;
		return true;
	case OP_SUBTRACT:
		*a -= b;
		return true;
	case OP_MULTIPLY:
		*a *= b;
		return true;
	default:
		*a /= b;
		return b != 0;
	}
}

double formula_evaluate(const struct formula *formula, const double *values)
{
	double stack[STACK_SIZE];
	size_t depth = 0;
	for (size_t i = 0; i < formula->num_ops; i++) {
		const struct op *op = &formula->ops[i];
		if (op->kind == OP_NUMBER) {
			stack[depth++] = op->number;
		} else if (op->kind == OP_NAME) {
			stack[depth++] = values[op->name];
		} else if (op->kind == OP_NEGATE) {
			stack[depth - 1] = -stack[depth - 1];
		} else {
			depth--;
			if (!formula_apply(op->kind, &stack[depth - 1], stack[depth]))
				return 0;
		}
	}
	// Nobody wants to read -0.
	return isfinite(stack[0]) ? stack[0] + 0.0 : 0;
}
