// SPDX-License-Identifier: Apache-2.0

#include "symbols/readable_name.h"

#include "base/container/array.h"

#include <string.h>

// A demangled name is scanned once with the depth of its brackets. The parameters are the last pair
// of parentheses outside of all brackets that is followed only by qualifiers or a clone suffix.
// `operator()`, `operator<` and `->` contain characters that are no brackets, and are skipped as a
// whole. Names that are not understood are left as they are.
//
//	void ns::f<int>(int, char const*) const    ->    ns::f<int>
//	ns::operator()(int) [clone .cold]          ->    ns::operator()

/** Words that follow the parameters of a member function. */
static const char *const qualifiers[] = {" const", " volatile", " &", " &&", " noexcept"};

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '$';
}

static const char operator_word[] = "operator";

static bool is_operator(const char *name, const char *at)
{
	return (at == name || !is_word(at[-1])) &&
	       !strncmp(at, operator_word, strlen(operator_word)) &&
	       !is_word(at[strlen(operator_word)]);
}

/** The length of "operator" with its sign, if it stands there: its brackets enclose nothing. */
static size_t operator_length(const char *name, const char *at)
{
	static const char *const signs[] = {"()", "[]", "<=>", "<<=", ">>=", "->*", "<<",
					    ">>", "<=", ">=",  "->",  "<",   ">"};
	if (!is_operator(name, at))
		return 0;
	const char *sign = at + strlen(operator_word);
	for (size_t i = 0; i < ARRAY_SIZE(signs); i++)
		if (!strncmp(sign, signs[i], strlen(signs[i])))
			return strlen(operator_word) + strlen(signs[i]);
	return 0;
}

/** Is what follows the parameters no further part of the name? Compilers add " [clone .cold]". */
static bool is_tail(const char *text)
{
	for (bool found = true; found && *text;) {
		found = false;
		for (size_t i = 0; i < ARRAY_SIZE(qualifiers) && !found; i++) {
			size_t length = strlen(qualifiers[i]);
			found = !strncmp(text, qualifiers[i], length) && !is_word(text[length]);
			text += found ? length : 0;
		}
	}
	return !*text || !strncmp(text, " [clone", strlen(" [clone")) || !strncmp(text, " (.", 3);
}

size_t readable_name_length(const char *demangled)
{
	const char *open = NULL; // of the brackets that were closed last, outside of all others
	unsigned depth = 0;
	for (const char *at = demangled; *at;) {
		size_t skipped = operator_length(demangled, at);
		if (skipped) {
			at += skipped;
			continue;
		}
		bool is_arrow = *at == '>' && at > demangled && at[-1] == '-';
		// All kinds of brackets count alike, since demanglers write them in pairs.
		if (strchr("(<[{", *at)) {
			if (!depth++)
				open = at;
		} else if (strchr(")>]}", *at) && !is_arrow) {
			// A closing bracket that nothing opened: the name is of a form that is not
			// understood.
			if (!depth--)
				return strlen(demangled);
			if (!depth && *open == '(' && *at == ')' && open > demangled &&
			    is_tail(at + 1))
				return (size_t)(open - demangled);
		}
		at++;
	}
	return strlen(demangled);
}

size_t readable_name_start(const char *demangled, size_t length)
{
	if (!demangled[length] || !length || demangled[length - 1] != '>')
		return 0;
	size_t start = 0;
	unsigned depth = 0;
	for (size_t i = 0; i < length; i++) {
		char c = demangled[i];
		bool is_arrow = c == '>' && i > 0 && demangled[i - 1] == '-';
		// What follows "operator " is the type that is converted to.
		if (depth == 0 && is_operator(demangled, &demangled[i]))
			break;
		if (strchr("(<[{", c))
			depth++;
		else if (strchr(")>]}", c) && !is_arrow && depth)
			depth--;
		// Of "f() const::g<int>" all is the name.
		else if (c == ' ' && !depth && i > 0 && demangled[i - 1] != ')')
			start = i + 1;
	}
	return start;
}

bool readable_name_parse_interpreted(const char *name, const char *mark,
				     struct interpreted_name *ret)
{
	if (!mark || strncmp(name, mark, strlen(mark)) != 0)
		return false;
	const char *function = name + strlen(mark);
	// Names of functions have no colon; "<frozen importlib>" and C:\ have, as files.
	const char *colon = strchr(function, ':');
	if (!colon || colon == function)
		return false;
	*ret = (struct interpreted_name){function, (size_t)(colon - function), colon + 1};
	return true;
}
