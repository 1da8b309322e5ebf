// SPDX-License-Identifier: Apache-2.0

// Types, and what functions take and return.

#include "object/names/undecorate_parser.h"

#include <inttypes.h>
#include <string.h>

// Declarations of C++ are inside out: in "int (*f)(char)" the type is on both sides of the name.
// So a type is two texts, before and after, and a pointer or array wraps around these
// (pointer_to()): pointers to functions and arrays need brackets. undecorate_declare() puts a name
// between.
//
// Qualifiers stand in front of what they are about in the decorated name, but behind it in print,
// so they are kept in the type until it is known where they go. A parameter list refers to earlier
// parameter types by digits, counted apart from names; types of one letter do not count, as a
// digit would not be shorter (undecorate_type_parameter()).

static const struct undecorate_type no_type = {
	.before = "", .after = "", .convention = "", .result = "", .list = ""};

/**
 * Letters and what they are, where a type is one or two of them. The first letters were used up
 * when types of later standards came, so these have '_' or "$$" in front. X is void.
 */
static const struct {
	const char *code, *name;
} primitives[] = {
	{"$$T", "std::nullptr_t"},
	{"_D", "__int8"},
	{"_E", "unsigned __int8"},
	{"_F", "__int16"},
	{"_G", "unsigned __int16"},
	{"_H", "__int32"},
	{"_I", "unsigned __int32"},
	{"_J", "__int64"},
	{"_K", "unsigned __int64"},
	{"_L", "__int128"},
	{"_M", "unsigned __int128"},
	{"_N", "bool"},
	{"_P", "auto"},
	{"_Q", "char8_t"},
	{"_S", "char16_t"},
	{"_T", "decltype(auto)"},
	{"_U", "char32_t"},
	{"_W", "wchar_t"},
	{"C", "signed char"},
	{"D", "char"},
	{"E", "unsigned char"},
	{"F", "short"},
	{"G", "unsigned short"},
	{"H", "int"},
	{"I", "unsigned int"},
	{"J", "long"},
	{"K", "unsigned long"},
	{"M", "float"},
	{"N", "double"},
	{"O", "long double"},
	{"X", "void"},
};

/** "const volatile", "" for none. */
static const char *qualifier_words(struct undecorate_parser *parser, unsigned qualifiers)
{
	static const struct {
		unsigned qualifier;
		const char *word;
	} words[] = {
		{QUALIFIER_CONST, "const"},
		{QUALIFIER_VOLATILE, "volatile"},
		{QUALIFIER_RESTRICT, "__restrict"},
	};
	const char *text = "";
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (qualifiers & words[i].qualifier)
			text = undecorate_text(parser, "%s%s%s", text, *text ? " " : "",
					       words[i].word);
	return text;
}

unsigned undecorate_qualifiers(struct undecorate_parser *parser)
{
	// Those of members are other letters.
	switch (undecorate_next(parser)) {
	case 'A':
	case 'Q':
		return 0;
	case 'B':
	case 'R':
		return QUALIFIER_CONST;
	case 'C':
	case 'S':
		return QUALIFIER_VOLATILE;
	case 'D':
	case 'T':
		return QUALIFIER_CONST | QUALIFIER_VOLATILE;
	default:
		undecorate_fail(parser);
		return 0;
	}
}

/** That a pointer has 64 bits is said, too, but not shown. */
static unsigned pointer_qualifiers(struct undecorate_parser *parser)
{
	// E is __ptr64, I is __restrict, F is __unaligned; always in this order.
	unsigned qualifiers = 0;
	undecorate_take(parser, "E");
	if (undecorate_take(parser, "I"))
		qualifiers |= QUALIFIER_RESTRICT;
	if (undecorate_take(parser, "F"))
		qualifiers |= QUALIFIER_UNALIGNED;
	return qualifiers;
}

const char *undecorate_convention(struct undecorate_parser *parser)
{
	static const struct {
		const char *letters, *name;
	} rows[] = {
		{"AB", "__cdecl"},
		{"CD", "__pascal"},
		{"EF", "__thiscall"},
		{"GH", "__stdcall"},
		{"IJ", "__fastcall"},
		{"MN", "__clrcall"},
		{"OP", "__eabi"},
		{"Q", "__vectorcall"},
		{"S", "__attribute__((__swiftcall__)) "},
		{"W", "__attribute__((__swiftasynccall__)) "},
	};
	// The second letter of a pair is for exported functions of 16-bit Windows: the same today.
	char letter = undecorate_next(parser);
	for (size_t i = 0; letter && i < sizeof(rows) / sizeof(*rows); i++)
		if (strchr(rows[i].letters, letter))
			return rows[i].name;
	undecorate_fail(parser);
	return "";
}

/** Words do not run into each other. */
static const char *space_behind(const char *text)
{
	size_t length = strlen(text);
	char last = length ? text[length - 1] : ' ';
	bool is_word = (last >= 'a' && last <= 'z') || (last >= 'A' && last <= 'Z') ||
		       (last >= '0' && last <= '9') || last == '>';
	return is_word ? " " : "";
}

/** What stands before a name of this type. */
static const char *before_name(struct undecorate_parser *parser, const struct undecorate_type *type)
{
	const char *words = qualifier_words(parser, type->qualifiers);
	if (!*words)
		return type->before;
	return undecorate_text(parser, "%s%s%s", type->before, type->is_pointer ? "" : " ", words);
}

const char *undecorate_declare(struct undecorate_parser *parser, const struct undecorate_type *type,
			       const char *name)
{
	const char *before = before_name(parser, type);
	if (type->shape == SHAPE_FUNCTION)
		before = undecorate_text(parser, "%s%s%s", before, *before ? " " : "",
					 type->convention);
	const char *space = *name ? space_behind(before) : "";
	return undecorate_text(parser, "%s%s%s%s", before, space, name, type->after);
}

static struct undecorate_type undecorate_type_primitive(struct undecorate_parser *parser)
{
	struct undecorate_type type = no_type;
	for (size_t i = 0; i < sizeof(primitives) / sizeof(*primitives); i++) {
		if (!undecorate_take(parser, primitives[i].code))
			continue;
		type.before = primitives[i].name;
		return type;
	}
	undecorate_fail(parser);
	return type;
}

/** "class ns::C"; names of functions are shorter without the first word. */
static struct undecorate_type undecorate_type_tagged(struct undecorate_parser *parser,
						     const char *word)
{
	struct undecorate_type type = no_type;
	const char *name = undecorate_type_name(parser);
	bool is_short = parser->style == UNDECORATE_NAME;
	type.before = undecorate_text(parser, "%s%s", is_short ? "" : word, name);
	return type;
}

/** Of a name that no program has: "<auto>". */
static struct undecorate_type undecorate_type_custom(struct undecorate_parser *parser)
{
	struct undecorate_type type = no_type;
	type.before = undecorate_plain_type_name(parser);
	if (!undecorate_take(parser, "@"))
		undecorate_fail(parser);
	return type;
}

static struct undecorate_type undecorate_type_array(struct undecorate_parser *parser)
{
	// The number of dimensions, the size of each, then the type of an element: "Y01..." has one
	// dimension of two. A size of 0 is not known ("[]").
	enum { MAX_DIMENSIONS = 64 };
	struct undecorate_type type = no_type;
	const char *dimensions = "";
	int64_t count = undecorate_number(parser);
	if (count < 1 || count > MAX_DIMENSIONS)
		undecorate_fail(parser);
	for (int64_t i = 0; i < count && !parser->failed; i++) {
		int64_t size = undecorate_number(parser);
		dimensions = size ? undecorate_text(parser, "%s[%" PRId64 "]", dimensions, size)
				  : undecorate_text(parser, "%s[]", dimensions);
	}
	unsigned qualifiers = undecorate_take(parser, "$$C") ? undecorate_qualifiers(parser) : 0;
	struct undecorate_type element = undecorate_parse_type(parser, QUALIFIED_NOT);
	type.shape = SHAPE_ARRAY;
	type.before = before_name(parser, &element);
	type.qualifiers = qualifiers;
	type.after = undecorate_text(parser, "%s%s", dimensions, element.after);
	return type;
}

/** @class_name: of what it points into, with "::", or "". */
static struct undecorate_type pointer_to(struct undecorate_parser *parser,
					 const struct undecorate_type *pointee, const char *sign,
					 const char *class_name, unsigned qualifiers)
{
	struct undecorate_type type = no_type;
	const char *before = before_name(parser, pointee);
	// "int (*)[2]" and "int (__cdecl *)(char)": without brackets it would be an array of
	// pointers, or a function that returns one.
	bool in_brackets = pointee->shape != SHAPE_PLAIN;
	bool is_function = pointee->shape == SHAPE_FUNCTION;
	const char *space = is_function && *before ? " " : space_behind(before);
	type.before =
		undecorate_text(parser, "%s%s%s%s%s%s%s%s", before, space,
				qualifiers & QUALIFIER_UNALIGNED ? "__unaligned " : "",
				in_brackets ? "(" : "", is_function ? pointee->convention : "",
				is_function ? " " : "", class_name, sign);
	type.after = undecorate_text(parser, "%s%s", in_brackets ? ")" : "", pointee->after);
	type.is_pointer = true;
	type.qualifiers = qualifiers;
	return type;
}

/** Behind the sign of a pointer: does it point to a member? */
static bool points_to_member(const char *at)
{
	// Pointers to functions have a digit: 6 for plain ones, 8 for those of a class. All others
	// have qualifiers, of which Q to T stand for A to D in a class.
	if (*at >= '0' && *at <= '9')
		return *at == '8';
	at += *at == 'E';
	at += *at == 'I';
	at += *at == 'F';
	return *at && strchr("QRST", *at) != NULL;
}

static struct undecorate_type undecorate_type_pointer(struct undecorate_parser *parser,
						      const char *sign, unsigned qualifiers)
{
	struct undecorate_type pointee;
	if (sign[0] == '*' && points_to_member(parser->at)) {
		qualifiers |= pointer_qualifiers(parser);
		bool is_function = undecorate_take(parser, "8");
		unsigned pointee_qualifiers = is_function ? 0 : undecorate_qualifiers(parser);
		const char *name = undecorate_text(parser, "%s::", undecorate_type_name(parser));
		pointee = is_function ? undecorate_parse_function(parser, true)
				      : undecorate_parse_type(parser, QUALIFIED_NOT);
		pointee.qualifiers |= pointee_qualifiers;
		return pointer_to(parser, &pointee, sign, name, qualifiers);
	}
	if (undecorate_take(parser, "6")) {
		pointee = undecorate_parse_function(parser, false);
	} else {
		qualifiers |= pointer_qualifiers(parser);
		pointee = undecorate_parse_type(parser, QUALIFIED_ALWAYS);
	}
	return pointer_to(parser, &pointee, sign, "", qualifiers);
}

static struct undecorate_type parse_unqualified(struct undecorate_parser *parser)
{
	static const struct {
		const char *code, *word;
		// Behind W stands the type of the values; compilers write 4, which is int, for all.
	} tags[] = {{"T", "union "}, {"U", "struct "}, {"V", "class "}, {"W4", "enum "}};
	static const struct {
		const char *code, *sign;
		unsigned qualifiers;
	} pointers[] = {
		{"$$Q", "&&", 0},
		{"$$R", "&&", QUALIFIER_VOLATILE},
		{"A", "&", 0},
		{"B", "&", QUALIFIER_VOLATILE},
		{"P", "*", 0},
		{"Q", "*", QUALIFIER_CONST},
		{"R", "*", QUALIFIER_VOLATILE},
		{"S", "*", QUALIFIER_CONST | QUALIFIER_VOLATILE},
	};
	for (size_t i = 0; i < sizeof(tags) / sizeof(*tags); i++)
		if (undecorate_take(parser, tags[i].code))
			return undecorate_type_tagged(parser, tags[i].word);
	for (size_t i = 0; i < sizeof(pointers) / sizeof(*pointers); i++)
		if (undecorate_take(parser, pointers[i].code))
			return undecorate_type_pointer(parser, pointers[i].sign,
						       pointers[i].qualifiers);
	if (undecorate_take(parser, "Y"))
		return undecorate_type_array(parser);
	if (undecorate_take(parser, "$$A8@@"))
		return undecorate_parse_function(parser, true);
	if (undecorate_take(parser, "$$A6"))
		return undecorate_parse_function(parser, false);
	if (undecorate_take(parser, "?"))
		return undecorate_type_custom(parser);
	return undecorate_type_primitive(parser);
}

struct undecorate_type undecorate_parse_type(struct undecorate_parser *parser,
					     enum undecorate_qualified qualified)
{
	struct undecorate_type type = no_type;
	if (!undecorate_enter(parser))
		return type;
	unsigned qualifiers = 0;
	if (qualified == QUALIFIED_ALWAYS ||
	    (qualified == QUALIFIED_RESULT && undecorate_take(parser, "?")))
		qualifiers = undecorate_qualifiers(parser);
	type = parse_unqualified(parser);
	type.qualifiers |= qualifiers;
	undecorate_leave(parser);
	return parser->failed ? no_type : type;
}

/** Types of one letter are not worth a reference. */
static struct undecorate_type undecorate_type_parameter(struct undecorate_parser *parser)
{
	struct undecorate_references *references = &parser->references;
	if (*parser->at >= '0' && *parser->at <= '9') {
		size_t index = (size_t)(undecorate_next(parser) - '0');
		if (index < references->num_types)
			return references->types[index];
		undecorate_fail(parser);
		return no_type;
	}
	const char *start = parser->at;
	struct undecorate_type type = undecorate_parse_type(parser, QUALIFIED_NOT);
	if (!parser->failed && parser->at - start > 1 &&
	    references->num_types < UNDECORATE_MAX_REFERENCES)
		references->types[references->num_types++] = type;
	return type;
}

static const char *undecorate_type_parameters(struct undecorate_parser *parser)
{
	// "X" alone is "(void)". Else the list ends with '@', or with 'Z' if "..." is behind it.
	if (undecorate_take(parser, "X"))
		return parser->style == UNDECORATE_NAME ? "" : "void";
	const char *text = "";
	while (!parser->failed && *parser->at && *parser->at != '@' && *parser->at != 'Z') {
		struct undecorate_type type = undecorate_type_parameter(parser);
		text = undecorate_text(parser, "%s%s%s", text, *text ? ", " : "",
				       undecorate_declare(parser, &type, ""));
	}
	if (undecorate_take(parser, "@"))
		return text;
	if (!undecorate_take(parser, "Z"))
		undecorate_fail(parser);
	return undecorate_text(parser, "%s%s...", text, *text ? ", " : "");
}

/** What the object of a member is like. */
struct object_words {
	const char *qualifiers, *reference;
};

static struct object_words object_words(struct undecorate_parser *parser)
{
	struct object_words words = {"", ""};
	unsigned qualifiers = pointer_qualifiers(parser);
	if (undecorate_take(parser, "G"))
		words.reference = " &";
	else if (undecorate_take(parser, "H"))
		words.reference = " &&";
	qualifiers |= undecorate_qualifiers(parser);
	const char *text = qualifier_words(parser, qualifiers);
	words.qualifiers = undecorate_text(parser, "%s%s%s", *text ? " " : "", text,
					   qualifiers & QUALIFIER_UNALIGNED ? " __unaligned" : "");
	return words;
}

struct undecorate_type undecorate_parse_function(struct undecorate_parser *parser, bool is_member)
{
	struct undecorate_type type = no_type;
	type.shape = SHAPE_FUNCTION;
	struct object_words object = {"", ""};
	if (is_member)
		object = object_words(parser);
	type.convention = undecorate_convention(parser);
	// Constructors and destructors return nothing, not even void: "@".
	struct undecorate_type result = no_type;
	if (!undecorate_take(parser, "@"))
		result = undecorate_parse_type(parser, QUALIFIED_RESULT);
	const char *list = undecorate_type_parameters(parser);
	bool is_noexcept = undecorate_take(parser, "_E");
	if (!is_noexcept && !undecorate_take(parser, "Z"))
		undecorate_fail(parser);
	type.before = before_name(parser, &result);
	type.result = undecorate_declare(parser, &result, "");
	type.list = undecorate_text(parser, "(%s)%s%s%s", list, object.qualifiers,
				    is_noexcept ? " noexcept" : "", object.reference);
	type.after = undecorate_text(parser, "%s%s", type.list, result.after);
	return parser->failed ? no_type : type;
}
