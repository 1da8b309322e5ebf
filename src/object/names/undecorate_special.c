// SPDX-License-Identifier: Apache-2.0

// What compilers make by themselves: tables, descriptions of types, texts, guards, initializers.

#include "object/names/undecorate_parser.h"

#include <inttypes.h>
#include <string.h>

// Symbols of compilers begin with a code that selects one of the rows of undecorate_special().
// Each kind has a layout of its own: tables have a list of bases, descriptors a type or numbers,
// initializers contain another symbol. A string literal has its length, a checksum and its first
// 32 characters in the name; bytes that names cannot have are written as "?0" to "?9", "?a",
// "?$AA" and so on (text_byte()).

typedef const char *(*special_fn)(struct undecorate_parser *parser, const char *word);

/** Of a class, perhaps for one of its bases. */
static const char *undecorate_special_table(struct undecorate_parser *parser, const char *word)
{
	const char *name = undecorate_text(parser, "%s%s", undecorate_scopes(parser), word);
	char storage = undecorate_next(parser);
	if (storage != '6' && storage != '7')
		undecorate_fail(parser);
	unsigned qualifiers = undecorate_qualifiers(parser);
	const char *before = parser->style == UNDECORATE_NAME ? "" : NULL;
	if (!before)
		before = undecorate_text(parser, "%s%s",
					 qualifiers & QUALIFIER_CONST ? "const " : "",
					 qualifiers & QUALIFIER_VOLATILE ? "volatile " : "");
	const char *bases = "";
	while (!parser->failed && !undecorate_take(parser, "@"))
		bases = undecorate_text(parser, "%s%s%s", bases, *bases ? "'s `" : "",
					undecorate_type_name(parser));
	if (!*bases)
		return undecorate_text(parser, "%s%s", before, name);
	return undecorate_text(parser, "%s%s{for `%s'}", before, name, bases);
}

static const char *type_descriptor(struct undecorate_parser *parser, const char *word)
{
	struct undecorate_type type = undecorate_parse_type(parser, QUALIFIED_RESULT);
	const char *text = undecorate_declare(parser, &type, word);
	if (!undecorate_take(parser, "@8"))
		undecorate_fail(parser);
	return text;
}

static const char *undecorate_special_untyped(struct undecorate_parser *parser, const char *word)
{
	const char *text = undecorate_text(parser, "%s%s", undecorate_scopes(parser), word);
	if (!undecorate_take(parser, "8"))
		undecorate_fail(parser);
	return text;
}

static const char *base_descriptor(struct undecorate_parser *parser, const char *word)
{
	// The four numbers of a base: offsets of the object, of the table and in it, and flags.
	const char *name = word;
	for (int i = 0; i < 4; i++)
		name = undecorate_text(parser, "%s%s%" PRId64, name, i ? ", " : " (",
				       undecorate_number(parser));
	return undecorate_special_untyped(parser, undecorate_text(parser, "%s)'", name));
}

static const char *undecorate_special_guard(struct undecorate_parser *parser, const char *word)
{
	const char *text = undecorate_text(parser, "%s%s", undecorate_scopes(parser), word);
	if (!undecorate_take(parser, "4IA") && !undecorate_take(parser, "5"))
		undecorate_fail(parser);
	int64_t number = *parser->at ? undecorate_number(parser) : 0;
	return number ? undecorate_text(parser, "%s{%" PRId64 "}", text, number) : text;
}

/** Of a variable, which is written as it is declared, or of something with only a name. */
static const char *undecorate_special_initializer(struct undecorate_parser *parser,
						  const char *word)
{
	// A static member is written as a whole symbol, "?" and all, and has one more '@' behind
	// it.
	bool is_member = undecorate_take(parser, "?");
	struct undecorate_name name = undecorate_symbol_name(parser);
	bool is_variable = *parser->at >= '0' && *parser->at <= '4';
	if (is_variable) {
		const char *variable = undecorate_encoding(parser, &name);
		name.text = undecorate_text(parser, "%s`%s''", word, variable);
		if (!undecorate_take(parser, is_member ? "@@" : "@"))
			undecorate_fail(parser);
	} else {
		name.text = undecorate_text(parser, "%s'%s''", word, name.text);
		if (is_member)
			undecorate_fail(parser);
	}
	name.is_conversion = false;
	return undecorate_encoding(parser, &name);
}

/** A call through the table of a class, by the place in it. */
static const char *virtual_call(struct undecorate_parser *parser, const char *word)
{
	const char *scopes = undecorate_scopes(parser);
	if (!undecorate_take(parser, "$B"))
		undecorate_fail(parser);
	int64_t offset = undecorate_number(parser);
	if (!undecorate_take(parser, "A"))
		undecorate_fail(parser);
	const char *convention = undecorate_convention(parser);
	bool is_short = parser->style == UNDECORATE_NAME;
	return undecorate_text(parser, "[thunk]: %s%s%s%s{%" PRId64 ", {flat}}",
			       is_short ? "" : convention, is_short ? "" : " ", scopes, word,
			       offset);
}

static int undecorate_special_hex_digit(char c)
{
	return c >= 'A' && c <= 'P' ? c - 'A' : -1;
}

/** A character of a text; those that names cannot have are written otherwise. */
static unsigned text_byte(struct undecorate_parser *parser)
{
	// "?0" to "?9" are these marks; "?a" and "?A" are letters with the highest bit set; "?$"
	// has two digits behind it, A for 0 to P for 15.
	static const char marks[] = ",/\\:. \n\t'-";
	enum { LOWER = 0xe1, UPPER = 0xc1 };
	char c = undecorate_next(parser);
	if (c != '?')
		return (unsigned char)c;
	c = undecorate_next(parser);
	if (c >= '0' && c <= '9')
		return (unsigned char)marks[c - '0'];
	if (c >= 'a' && c <= 'z')
		return (unsigned)(LOWER + (c - 'a'));
	if (c >= 'A' && c <= 'Z')
		return (unsigned)(UPPER + (c - 'A'));
	int high = c == '$' ? undecorate_special_hex_digit(undecorate_next(parser)) : -1;
	int low = high >= 0 ? undecorate_special_hex_digit(undecorate_next(parser)) : -1;
	if (low < 0)
		undecorate_fail(parser);
	return low < 0 ? 0 : (unsigned)(high << 4 | low);
}

static const char *append_character(struct undecorate_parser *parser, const char *text,
				    unsigned character)
{
	static const struct {
		char character;
		const char *escaped;
	} escapes[] = {{'\0', "\\0"}, {'\'', "\\'"}, {'"', "\\\""}, {'\\', "\\\\"},
		       {'\a', "\\a"}, {'\b', "\\b"}, {'\f', "\\f"}, {'\n', "\\n"},
		       {'\r', "\\r"}, {'\t', "\\t"}, {'\v', "\\v"}};
	for (size_t i = 0; i < sizeof(escapes) / sizeof(*escapes); i++)
		if (character == (unsigned)escapes[i].character)
			return undecorate_text(parser, "%s%s", text, escapes[i].escaped);
	if (character >= ' ' && character < 0x7f)
		return undecorate_text(parser, "%s%c", text, (int)character);
	return undecorate_text(parser, character > 0xff ? "%s\\x%04X" : "%s\\x%02X", text,
			       character);
}

/** Only the beginning of a long text is in its name. */
static const char *string_literal(struct undecorate_parser *parser, const char *word)
{
	bool is_wide = undecorate_take(parser, "1");
	if (!is_wide && !undecorate_take(parser, "0"))
		undecorate_fail(parser);
	// The size in bytes counts the NUL at the end, which only a text that is not cut has.
	int64_t size = undecorate_number(parser);
	const char *checksum_end = strchr(parser->at, '@');
	if (!checksum_end) {
		undecorate_fail(parser);
		return "";
	}
	parser->at = checksum_end + 1;
	const char *text = is_wide ? "L\"" : word;
	int64_t num_bytes = 0;
	bool has_end = false;
	while (!parser->failed && !undecorate_take(parser, "@")) {
		unsigned character = text_byte(parser);
		if (is_wide)
			character = character << 8 | text_byte(parser);
		num_bytes += is_wide ? 2 : 1;
		has_end = !character && num_bytes == size;
		if (!has_end)
			text = append_character(parser, text, character);
	}
	return undecorate_text(parser, "%s\"%s", text, has_end ? "" : "...");
}

bool undecorate_special(struct undecorate_parser *parser, const char **ret)
{
	static const struct {
		const char *code;
		special_fn read;
		const char *word;
	} rows[] = {
		{"?_7", undecorate_special_table, "`vftable'"},
		{"?_8", undecorate_special_table, "`vbtable'"},
		{"?_9", virtual_call, "`vcall'"},
		{"?_B", undecorate_special_guard, "`local static guard'"},
		{"?_C@_", string_literal, "\""},
		{"?_R0", type_descriptor, "`RTTI Type Descriptor'"},
		{"?_R1", base_descriptor, "`RTTI Base Class Descriptor at"},
		{"?_R2", undecorate_special_untyped, "`RTTI Base Class Array'"},
		{"?_R3", undecorate_special_untyped, "`RTTI Class Hierarchy Descriptor'"},
		{"?_R4", undecorate_special_table, "`RTTI Complete Object Locator'"},
		{"?_S", undecorate_special_table, "`local vftable'"},
		{"?__E", undecorate_special_initializer, "`dynamic initializer for "},
		{"?__F", undecorate_special_initializer, "`dynamic atexit destructor for "},
		{"?__J", undecorate_special_guard, "`local static thread guard'"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (!undecorate_take(parser, rows[i].code))
			continue;
		*ret = rows[i].read(parser, rows[i].word);
		return true;
	}
	return false;
}
