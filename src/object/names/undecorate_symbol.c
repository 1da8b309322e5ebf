// SPDX-License-Identifier: Apache-2.0

// Functions and variables: what follows their names.

#include "object/names/undecorate_parser.h"

#include <inttypes.h>
#include <string.h>

// Behind a name, one character says what it is: '0' to '4' a variable, a letter a function with
// its access and kind, '9' an extern "C" function without a type. Thunks say next how they change
// the object pointer (undecorate_symbol_adjustment()): "adjustor" by a constant, "vtordisp" by a
// value in the object.
//
// In the style UNDECORATE_NAME everything is parsed but only name and parameters are printed, as
// other demanglers print C++ names; profiles then have the same names on each system.

enum function_flag {
	FLAG_STATIC = 1,
	FLAG_VIRTUAL = 2,
	FLAG_GLOBAL = 4,
	FLAG_ADJUSTS = 8, // a thunk that moves to another base class
	FLAG_ADJUSTS_VIRTUAL = 16,
	FLAG_ADJUSTS_MORE = 32,
	FLAG_EXTERN_C = 64,
	FLAG_ONLY_NAME = 128,
};

struct function_class {
	const char *access;
	unsigned flags;
};

static struct function_class thunk_class(struct undecorate_parser *parser)
{
	static const char *const access[] = {"private: ", "protected: ", "public: "};
	struct function_class found = {.access = "", .flags = FLAG_VIRTUAL | FLAG_ADJUSTS_VIRTUAL};
	if (undecorate_take(parser, "R"))
		found.flags |= FLAG_ADJUSTS_MORE;
	char c = undecorate_next(parser);
	if (c < '0' || c > '5')
		undecorate_fail(parser);
	else
		found.access = access[(c - '0') / 2];
	return found;
}

/** A letter: who may call it, and whether it is static, virtual or a thunk. */
static struct function_class function_class(struct undecorate_parser *parser)
{
	static const struct function_class kinds[] = {
		{"private: ", 0},
		{"private: ", FLAG_STATIC},
		{"private: ", FLAG_VIRTUAL},
		{"private: ", FLAG_ADJUSTS | FLAG_VIRTUAL},
		{"protected: ", 0},
		{"protected: ", FLAG_STATIC},
		{"protected: ", FLAG_VIRTUAL},
		{"protected: ", FLAG_ADJUSTS | FLAG_VIRTUAL},
		{"public: ", 0},
		{"public: ", FLAG_STATIC},
		{"public: ", FLAG_VIRTUAL},
		{"public: ", FLAG_ADJUSTS | FLAG_VIRTUAL},
		{"", FLAG_GLOBAL},
	};
	char c = undecorate_next(parser);
	if (c == '9')
		return (struct function_class){"", FLAG_EXTERN_C | FLAG_ONLY_NAME};
	if (c == '$')
		return thunk_class(parser);
	if (c >= 'A' && c <= 'Z')
		return kinds[(c - 'A') / 2]; // the second of each two is for far calls
	undecorate_fail(parser);
	return (struct function_class){.access = ""};
}

/** A distance: 32 bits with a sign. */
static int32_t undecorate_symbol_distance(struct undecorate_parser *parser)
{
	return (int32_t)undecorate_number(parser);
}

/** What a thunk does before it jumps. */
static const char *undecorate_symbol_adjustment(struct undecorate_parser *parser, unsigned flags)
{
	if (flags & FLAG_ADJUSTS)
		return undecorate_text(parser, "`adjustor{%" PRId32 "}'",
				       undecorate_symbol_distance(parser));
	if (!(flags & FLAG_ADJUSTS_VIRTUAL))
		return "";
	bool has_more = flags & FLAG_ADJUSTS_MORE;
	int32_t base_table = has_more ? undecorate_symbol_distance(parser) : 0;
	int32_t base = has_more ? undecorate_symbol_distance(parser) : 0;
	int32_t displacement = undecorate_symbol_distance(parser);
	int32_t offset = undecorate_symbol_distance(parser);
	if (!has_more)
		return undecorate_text(parser, "`vtordisp{%" PRId32 ", %" PRId32 "}'", displacement,
				       offset);
	return undecorate_text(parser,
			       "`vtordispex{%" PRId32 ", %" PRId32 ", %" PRId32 ", %" PRId32 "}'",
			       base_table, base, displacement, offset);
}

static const char *undecorate_symbol_function(struct undecorate_parser *parser,
					      const struct undecorate_name *name)
{
	struct function_class class = {.access = ""};
	// "$$J0" is in front of the class of functions that are extern "C" and yet have a type.
	unsigned extern_c = undecorate_take(parser, "$$J0") ? FLAG_EXTERN_C : 0;
	class = function_class(parser);
	class.flags |= extern_c;
	const char *adjusted = undecorate_symbol_adjustment(parser, class.flags);
	bool is_short = parser->style == UNDECORATE_NAME;
	bool is_thunk = class.flags & (FLAG_ADJUSTS | FLAG_ADJUSTS_VIRTUAL);
	const char *words = is_thunk ? "[thunk]: " : "";
	if (!is_short)
		words = undecorate_text(parser, "%s%s%s%s%s", words, class.access,
					class.flags & FLAG_EXTERN_C ? "extern \"C\" " : "",
					class.flags & FLAG_STATIC ? "static " : "",
					class.flags & FLAG_VIRTUAL ? "virtual " : "");
	if (class.flags & FLAG_ONLY_NAME)
		return undecorate_text(parser, "%s%s", words, name->text);
	bool is_member = !(class.flags & (FLAG_GLOBAL | FLAG_STATIC));
	struct undecorate_type type = undecorate_parse_function(parser, is_member);
	const char *full =
		undecorate_text(parser, "%s%s%s%s", name->text, name->is_conversion ? " " : "",
				name->is_conversion ? type.result : "", adjusted);
	if (is_short)
		return undecorate_text(parser, "%s%s%s", words, full, type.list);
	if (name->is_conversion) // what it returns may stand around a name, but not around this one
		return undecorate_text(parser, "%s%s %s %s%s", words, type.result, type.convention,
				       full, type.list);
	return undecorate_text(parser, "%s%s", words, undecorate_declare(parser, &type, full));
}

static const char *undecorate_symbol_variable(struct undecorate_parser *parser,
					      const struct undecorate_name *name, char storage)
{
	static const char *const words[] = {"private: static ", "protected: static ",
					    "public: static ", "", ""};
	struct undecorate_type type = undecorate_parse_type(parser, QUALIFIED_NOT);
	if (type.is_pointer) {
		undecorate_take(parser, "E"); // of what it points to, which was said
		if (undecorate_take(parser, "I"))
			type.qualifiers |= QUALIFIER_RESTRICT;
		undecorate_take(parser, "F");
		bool into_class = *parser->at && strchr("QRST", *parser->at);
		undecorate_qualifiers(parser);
		if (into_class)
			undecorate_type_name(parser);
	} else {
		type.qualifiers |= undecorate_qualifiers(parser);
	}
	if (parser->style == UNDECORATE_NAME)
		return name->text;
	return undecorate_text(parser, "%s%s", words[storage - '0'],
			       undecorate_declare(parser, &type, name->text));
}

const char *undecorate_encoding(struct undecorate_parser *parser,
				const struct undecorate_name *name)
{
	undecorate_take(parser, "$$h"); // the one of Arm64EC, beside the one of x64
	char c = *parser->at;
	if (c >= '0' && c <= '4') {
		undecorate_next(parser);
		return undecorate_symbol_variable(parser, name, c);
	}
	return undecorate_symbol_function(parser, name);
}

const char *undecorate_symbol(struct undecorate_parser *parser)
{
	const char *text = "";
	if (!undecorate_enter(parser))
		return text;
	if (!undecorate_special(parser, &text)) {
		struct undecorate_name name = undecorate_symbol_name(parser);
		text = undecorate_encoding(parser, &name);
	}
	undecorate_leave(parser);
	return parser->failed ? "" : text;
}
