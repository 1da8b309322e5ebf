// SPDX-License-Identifier: Apache-2.0

#include "symbols/readable_name.h"

#include "base/array.h"

#include <string.h>

/** Words that follow the parameters of a member function. */
static const char *const qualifiers[] = {" const", " volatile", " &", " &&", " noexcept"};

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '$';
}

/** The length of "operator" with its sign, if it stands there: its brackets enclose nothing. */
static size_t operator_length(const char *name, const char *at)
{
	static const char word[] = "operator";
	static const char *const signs[] = {"()", "[]", "<=>", "<<=", ">>=", "->*", "<<",
					    ">>", "<=", ">=",  "->",  "<",   ">"};
	if ((at > name && is_word(at[-1])) || strncmp(at, word, strlen(word)) != 0)
		return 0;
	const char *sign = at + strlen(word);
	for (size_t i = 0; i < ARRAY_SIZE(signs); i++)
		if (!strncmp(sign, signs[i], strlen(signs[i])))
			return strlen(word) + strlen(signs[i]);
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
		if (strchr("(<[{", *at)) {
			if (!depth++)
				open = at;
		} else if (strchr(")>]}", *at) && !is_arrow) {
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

bool readable_name_parse_python(const char *name, struct python_name *ret)
{
	static const char prefix[] = "py::";
	if (strncmp(name, prefix, strlen(prefix)) != 0)
		return false;
	const char *function = name + strlen(prefix);
	// Names of functions have no colon; "<frozen importlib>" and C:\ have, as files.
	const char *colon = strchr(function, ':');
	if (!colon || colon == function)
		return false;
	*ret = (struct python_name){function, (size_t)(colon - function), colon + 1};
	return true;
}
