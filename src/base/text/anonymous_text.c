// SPDX-License-Identifier: Apache-2.0

#include "base/text/anonymous_text.h"

#include "base/container/array.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Folders that hold a folder for each user, and what may stand before them: /build/home/x is
// nobody's home, nor is D:\src\users\x. The name goes on until a character that ends it. On Windows
// names may have spaces, so in a command line whatever follows such a name up to a separator is
// lost with it: too much rather than too little.

struct anonymous_rule {
	const char *folder;   // with separators around it
	const char *name_end; // characters that no name has
	const char *name;     // what it becomes
	bool is_at_start;     // of the text only
};

static const char unix_name_end[] = "/ \t\n\"':;,";

static const struct anonymous_rule anonymous_rules[] = {
	{"/home/", unix_name_end, "user", false},
	{"/var/home/", unix_name_end, "user", false},
	{"/export/home/", unix_name_end, "user", false},
	{"/media/", unix_name_end, "user", false},
	{"/run/media/", unix_name_end, "user", false},
	{"\\Users\\", "\\/\"<>|*?", "user", false},
	{"/Users/", "\\/\"<>|*?", "user", false},
	{"\\Documents and Settings\\", "\\/\"<>|*?", "user", false},
	{"\\\\?\\UNC\\", "\\/\"<>|*?", "host", true},
	{"\\Device\\Mup\\", "\\/\"<>|*?", "host", true},
	{"\\\\", "\\/\"<>|*?", "host", true},
};

/** Is the folder at the root of a file system? */
static bool anonymous_text_is_root(const char *text, const char *folder)
{
	if (folder == text)
		return true;
	char before = folder[-1];
	if (*folder == '\\' || folder[1] == 'U')
		// C:\Users, \Device\HarddiskVolume3\Users, \\?\Volume{...}\Users
		return before == ':' || before == '}' || (before >= '0' && before <= '9');
	// file:///home/x is how JavaScript names its modules.
	if (before == '/')
		return folder - text >= 3 && folder[-2] == '/' && folder[-3] == ':';
	return strchr(" \t\n\"'=:;,([<", before) != NULL;
}

static bool anonymous_text_is_kept(const char *name, size_t length)
{
	static const char *const kept[] = {"Public",    "Default", "Default User",
					   "All Users", ".",       "?"};
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		if (strlen(kept[i]) == length && strncasecmp(kept[i], name, length) == 0)
			return true;
	return length == 0;
}

/** What is replaced at a place of a text. */
struct anonymous_match {
	size_t kept;   // bytes before it that stay
	size_t length; // 0: nothing is replaced
	const char *replacement;
};

static struct anonymous_match anonymous_text_apply(const struct anonymous_rule *rule,
						   const char *place)
{
	struct anonymous_match match = {.kept = strlen(rule->folder), .replacement = rule->name};
	const char *name = place + match.kept;
	// A path that begins like \\?\ may have users further on.
	size_t length = *name == '?' || *name == '.' ? 1 : strcspn(name, rule->name_end);
	if (!anonymous_text_is_kept(name, length))
		match.length = length;
	return match;
}

/** The caller's own home folder ($HOME), as homes may be anywhere: /nfs/x. */
static struct anonymous_match anonymous_text_own_home(const char *text, const char *place)
{
	struct anonymous_match match = {.replacement = "/home/user"};
	const char *home = getenv("HOME");
	size_t length = home && *place == '/' ? strlen(home) : 0;
	while (length && home[length - 1] == '/')
		length--;
	// strchr() finds the text's end as well.
	if (length && strncmp(place, home, length) == 0 && strchr(unix_name_end, place[length]) &&
	    anonymous_text_is_root(text, place))
		match.length = length;
	return match;
}

static struct anonymous_match anonymous_text_find(const char *text, const char *place)
{
	if (*place != '/' && *place != '\\')
		return (struct anonymous_match){0};
	for (size_t i = 0; i < ARRAY_SIZE(anonymous_rules); i++) {
		const struct anonymous_rule *rule = &anonymous_rules[i];
		if (strncasecmp(place, rule->folder, strlen(rule->folder)) != 0)
			continue;
		if (rule->is_at_start ? place == text : anonymous_text_is_root(text, place))
			return anonymous_text_apply(rule, place);
	}
	return anonymous_text_own_home(text, place);
}

bool anonymous_text_append(const char *text, struct string_builder *ret)
{
	const char *copied = text; // up to here
	for (const char *place = text; *place; place++) {
		struct anonymous_match match = anonymous_text_find(text, place);
		if (!match.length)
			continue;
		const char *name = place + match.kept;
		string_builder_append_n(ret, copied, (size_t)(name - copied));
		string_builder_append(ret, match.replacement);
		copied = name + match.length;
		place = copied - 1;
	}
	if (copied == text)
		return false;
	string_builder_append(ret, copied);
	return true;
}
