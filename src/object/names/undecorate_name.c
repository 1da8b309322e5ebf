// SPDX-License-Identifier: Apache-2.0

// Names with the scopes that they are in, and what templates are of.

#include "object/names/undecorate_parser.h"

#include <inttypes.h>
#include <string.h>

// A name comes before its scopes, the innermost first: "?f@C@ns@@" is ns::C::f, so scopes are put
// in front of what was read (undecorate_scopes()). A digit refers to one of the first ten names of
// the symbol. Which names count is delicate: names of templates do, with their arguments, but not
// in every place, and a template has ten names of its own (template_name()). One name too many
// would make all later digits wrong; anonymous namespaces count each, even if equal.
//
// Constructors and destructors have no name of their own. leaf_name() returns a mark, which is
// replaced by the name of the class once the scopes are known (structor_name()). A conversion
// operator gets its type still later, from what the function returns (undecorate_symbol.c).
// operator_name() tries codes in the order of its table: longer ones come before their prefixes.

/** What can be remembered of a name, to be referred to by a digit. */
enum remembered {
	REMEMBER_NOTHING,
	REMEMBER_SIMPLE = 1,
	REMEMBER_TEMPLATE = 2,
};

static void undecorate_name_remember(struct undecorate_parser *parser, const char *name)
{
	struct undecorate_references *references = &parser->references;
	for (size_t i = 0; i < references->num_names; i++)
		if (!strcmp(references->names[i], name))
			return;
	if (references->num_names < UNDECORATE_MAX_REFERENCES && !parser->failed)
		references->names[references->num_names++] = name;
}

static bool undecorate_name_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *referred_name(struct undecorate_parser *parser)
{
	size_t index = (size_t)(undecorate_next(parser) - '0');
	if (index < parser->references.num_names)
		return parser->references.names[index];
	undecorate_fail(parser);
	return "";
}

static const char *simple_name(struct undecorate_parser *parser, bool is_remembered)
{
	const char *end = strchr(parser->at, '@');
	if (!end || end == parser->at) {
		undecorate_fail(parser);
		return "";
	}
	const char *name = undecorate_text(parser, "%.*s", (int)(end - parser->at), parser->at);
	if (!parser->failed)
		parser->at = end + 1;
	if (is_remembered)
		undecorate_name_remember(parser, name);
	return name;
}

/** "$1?f@@YAXXZ": something by its address. @num_offsets: numbers that follow. */
static const char *symbol_argument(struct undecorate_parser *parser, size_t num_offsets)
{
	const char *symbol = "";
	if (undecorate_take(parser, "?"))
		symbol = undecorate_symbol(parser);
	if (!num_offsets)
		return undecorate_text(parser, "&%s", symbol);
	const char *text = undecorate_text(parser, "{%s", symbol);
	for (size_t i = 0; i < num_offsets; i++)
		text = undecorate_text(parser, "%s%s%" PRId64, text, *symbol || i ? ", " : "",
				       undecorate_number(parser));
	return undecorate_text(parser, "%s}", text);
}

static const char *type_argument(struct undecorate_parser *parser,
				 enum undecorate_qualified qualified)
{
	struct undecorate_type type = undecorate_parse_type(parser, qualified);
	return undecorate_declare(parser, &type, "");
}

/**
 * A type, a number ("$0"), the address of a symbol ("$1"), a pointer to a member ("$F" to "$J"; how
 * many offsets it has depends on how the class inherits), or the name of a template ("$$Y").
 */
static const char *template_argument(struct undecorate_parser *parser)
{
	static const struct {
		const char *mark;
		size_t num_offsets;
	} symbols[] = {{"$1", 0}, {"$H", 1}, {"$I", 2}, {"$J", 3}, {"$F", 2}, {"$G", 3}};
	if (undecorate_take(parser, "$$Y"))
		return undecorate_type_name(parser);
	if (undecorate_take(parser, "$$B"))
		return type_argument(parser, QUALIFIED_NOT);
	if (undecorate_take(parser, "$$C"))
		return type_argument(parser, QUALIFIED_ALWAYS);
	if (undecorate_take(parser, "$E?"))
		return undecorate_symbol(parser);
	if (undecorate_take(parser, "$0"))
		return undecorate_text(parser, "%" PRId64, undecorate_number(parser));
	for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++)
		if (undecorate_take(parser, symbols[i].mark))
			return symbol_argument(parser, symbols[i].num_offsets);
	return type_argument(parser, QUALIFIED_NOT);
}

static const char *template_arguments(struct undecorate_parser *parser)
{
	// An empty list for the "..." of a template: there are several marks for it, or for its
	// end.
	static const char *const packs[] = {"$S", "$$V", "$$$V", "$$Z"};
	const char *text = "";
	while (!parser->failed && !undecorate_take(parser, "@")) {
		bool is_empty = false;
		for (size_t i = 0; i < sizeof(packs) / sizeof(*packs) && !is_empty; i++)
			is_empty = undecorate_take(parser, packs[i]);
		if (is_empty)
			continue;
		const char *argument = template_argument(parser);
		text = *text ? undecorate_text(parser, "%s, %s", text, argument) : argument;
	}
	return text;
}

static struct undecorate_name leaf_name(struct undecorate_parser *parser, unsigned remembered);

/** What a template refers to by digits is its own. */
static struct undecorate_name template_name(struct undecorate_parser *parser, unsigned remembered)
{
	struct undecorate_name name = {.text = ""};
	if (!undecorate_enter(parser))
		return name;
	struct undecorate_references outer = parser->references;
	parser->references = (struct undecorate_references){.num_names = 0};
	name = leaf_name(parser, REMEMBER_SIMPLE);
	name.text = undecorate_text(parser, "%s<%s>", name.text, template_arguments(parser));
	parser->references = outer;
	if (remembered & REMEMBER_TEMPLATE)
		undecorate_name_remember(parser, name.text);
	undecorate_leave(parser);
	return name;
}

/** A function without a name of its own; "" is replaced later. */
static const char *operator_name(struct undecorate_parser *parser)
{
	static const struct {
		const char *code, *name;
	} rows[] = {
		{"__L", "operator co_await"},
		{"__M", "operator<=>"},
		{"__A", "`managed vector ctor iterator'"},
		{"__B", "`managed vector dtor iterator'"},
		{"__C", "`EH vector copy ctor iterator'"},
		{"__D", "`EH vector vbase copy ctor iterator'"},
		{"__G", "`vector copy ctor iterator'"},
		{"__H", "`vector vbase copy constructor iterator'"},
		{"__I", "`managed vector vbase copy constructor iterator'"},
		{"_0", "operator/="},
		{"_1", "operator%="},
		{"_2", "operator>>="},
		{"_3", "operator<<="},
		{"_4", "operator&="},
		{"_5", "operator|="},
		{"_6", "operator^="},
		{"_D", "`vbase dtor'"},
		{"_E", "`vector deleting dtor'"},
		{"_F", "`default ctor closure'"},
		{"_G", "`scalar deleting dtor'"},
		{"_H", "`vector ctor iterator'"},
		{"_I", "`vector dtor iterator'"},
		{"_J", "`vector vbase ctor iterator'"},
		{"_K", "`virtual displacement map'"},
		{"_L", "`eh vector ctor iterator'"},
		{"_M", "`eh vector dtor iterator'"},
		{"_N", "`eh vector vbase ctor iterator'"},
		{"_O", "`copy ctor closure'"},
		{"_T", "`local vftable ctor closure'"},
		{"_U", "operator new[]"},
		{"_V", "operator delete[]"},
		{"2", "operator new"},
		{"3", "operator delete"},
		{"4", "operator="},
		{"5", "operator>>"},
		{"6", "operator<<"},
		{"7", "operator!"},
		{"8", "operator=="},
		{"9", "operator!="},
		{"A", "operator[]"},
		{"C", "operator->"},
		{"D", "operator*"},
		{"E", "operator++"},
		{"F", "operator--"},
		{"G", "operator-"},
		{"H", "operator+"},
		{"I", "operator&"},
		{"J", "operator->*"},
		{"K", "operator/"},
		{"L", "operator%"},
		{"M", "operator<"},
		{"N", "operator<="},
		{"O", "operator>"},
		{"P", "operator>="},
		{"Q", "operator,"},
		{"R", "operator()"},
		{"S", "operator~"},
		{"T", "operator^"},
		{"U", "operator|"},
		{"V", "operator&&"},
		{"W", "operator||"},
		{"X", "operator*="},
		{"Y", "operator+="},
		{"Z", "operator-="},
	};
	// The suffix of a user's literal is a name: "??__K_km@@...".
	if (undecorate_take(parser, "__K"))
		return undecorate_text(parser, "operator \"\"%s", simple_name(parser, false));
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (undecorate_take(parser, rows[i].code))
			return rows[i].name;
	undecorate_fail(parser);
	return "";
}

/** Constructors and destructors have the name of their class, which follows. */
static const char constructor[] = "\1";
static const char destructor[] = "~\1";

static struct undecorate_name leaf_name(struct undecorate_parser *parser, unsigned remembered)
{
	if (undecorate_name_is_digit(*parser->at))
		return (struct undecorate_name){.text = referred_name(parser)};
	if (undecorate_take(parser, "?$"))
		return template_name(parser, remembered);
	if (!undecorate_take(parser, "?"))
		return (struct undecorate_name){
			.text = simple_name(parser, remembered & REMEMBER_SIMPLE)};
	if (undecorate_take(parser, "0"))
		return (struct undecorate_name){.text = constructor};
	if (undecorate_take(parser, "1"))
		return (struct undecorate_name){.text = destructor};
	if (undecorate_take(parser, "B"))
		return (struct undecorate_name){.text = "operator", .is_conversion = true};
	return (struct undecorate_name){.text = operator_name(parser)};
}

/** "?1??main@@YAHXZ@": a block within a function; "?A0x1234@": a namespace without a name. */
static bool is_block(const char *at)
{
	// Between two question marks is a number: one digit, '@' for 0, or letters with '@' behind.
	const char *end = *at == '?' ? strchr(at + 1, '?') : NULL;
	if (!end || end == at + 1)
		return false;
	if (end == at + 2)
		return at[1] == '@' || undecorate_name_is_digit(at[1]);
	if (end[-1] != '@' || at[1] < 'B' || at[1] > 'P')
		return false;
	size_t num_digits = strspn(at + 1, "ABCDEFGHIJKLMNOP");
	return at + 1 + num_digits == end - 1;
}

static const char *block_name(struct undecorate_parser *parser)
{
	undecorate_take(parser, "?");
	int64_t number = undecorate_take(parser, "@") ? 0 : undecorate_number(parser);
	if (!undecorate_take(parser, "??") || !undecorate_enter(parser)) {
		undecorate_fail(parser);
		return "";
	}
	const char *function = undecorate_symbol(parser);
	undecorate_leave(parser);
	return undecorate_text(parser, "`%s'::`%" PRId64 "'", function, number);
}

static const char *anonymous_name(struct undecorate_parser *parser)
{
	const char *end = strchr(parser->at, '@');
	if (!end) {
		undecorate_fail(parser);
		return "";
	}
	// Each has a key, so that two of them in one name are two.
	struct undecorate_references *references = &parser->references;
	if (references->num_names < UNDECORATE_MAX_REFERENCES)
		references->names[references->num_names++] = "`anonymous namespace'";
	parser->at = end + 1;
	return "`anonymous namespace'";
}

static const char *scope_name(struct undecorate_parser *parser)
{
	if (undecorate_name_is_digit(*parser->at))
		return referred_name(parser);
	if (undecorate_take(parser, "?$"))
		return template_name(parser, REMEMBER_TEMPLATE).text;
	if (undecorate_take(parser, "?A"))
		return anonymous_name(parser);
	if (is_block(parser->at))
		return block_name(parser);
	return simple_name(parser, true);
}

const char *undecorate_scopes(struct undecorate_parser *parser)
{
	const char *scopes = "";
	while (!parser->failed && !undecorate_take(parser, "@"))
		scopes = undecorate_text(parser, "%s::%s", scope_name(parser), scopes);
	return scopes;
}

/** @text: of a constructor or destructor, perhaps of a template. */
static const char *structor_name(struct undecorate_parser *parser, const char *text,
				 const char *scopes)
{
	// The class is the last scope, "vector" of "std::vector<int>::": backwards to the last "::"
	// that is outside of template brackets and of `quotes'.
	size_t end = strlen(scopes);
	if (end < 2) {
		undecorate_fail(parser);
		return "";
	}
	end -= strlen("::");
	size_t start = end;
	for (int depth = 0; start; start--) {
		char c = scopes[start - 1];
		depth += c == '>' || c == '\'';
		depth -= c == '<' || c == '`';
		if (!depth && c == ':')
			break;
	}
	const char *class_name =
		undecorate_text(parser, "%.*s", (int)(end - start), scopes + start);
	bool is_destructor = text[0] == '~';
	return undecorate_text(parser, "%s%s%s", is_destructor ? "~" : "", class_name,
			       text + (is_destructor ? 2 : 1));
}

struct undecorate_name undecorate_symbol_name(struct undecorate_parser *parser)
{
	struct undecorate_name name = leaf_name(parser, REMEMBER_SIMPLE);
	name.scopes = undecorate_scopes(parser);
	if (name.text[0] == constructor[0] || !strncmp(name.text, destructor, 2))
		name.text = structor_name(parser, name.text, name.scopes);
	name.text = undecorate_text(parser, "%s%s", name.scopes, name.text);
	return name;
}

const char *undecorate_plain_type_name(struct undecorate_parser *parser)
{
	if (undecorate_name_is_digit(*parser->at))
		return referred_name(parser);
	if (undecorate_take(parser, "?$"))
		return template_name(parser, REMEMBER_TEMPLATE).text;
	return simple_name(parser, true);
}

const char *undecorate_type_name(struct undecorate_parser *parser)
{
	const char *name = undecorate_plain_type_name(parser);
	return undecorate_text(parser, "%s%s", undecorate_scopes(parser), name);
}
