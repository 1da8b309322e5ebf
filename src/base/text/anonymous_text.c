// SPDX-License-Identifier: Apache-2.0

#include "base/text/anonymous_text.h"

#include "base/container/array.h"

#include <stddef.h>
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

static const struct anonymous_rule anonymous_rules[] = {
	{"/home/", "/ \t\n\"':;,", "user", false},
	{"/var/home/", "/ \t\n\"':;,", "user", false},
	{"/export/home/", "/ \t\n\"':;,", "user", false},
	{"/media/", "/ \t\n\"':;,", "user", false},
	{"/run/media/", "/ \t\n\"':;,", "user", false},
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

/** The rule for what begins here, or NULL. */
static const struct anonymous_rule *anonymous_text_find(const char *text, const char *place)
{
	if (*place != '/' && *place != '\\')
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(anonymous_rules); i++) {
		const struct anonymous_rule *rule = &anonymous_rules[i];
		if (strncasecmp(place, rule->folder, strlen(rule->folder)) != 0)
			continue;
		if (rule->is_at_start ? place == text : anonymous_text_is_root(text, place))
			return rule;
	}
	return NULL;
}

bool anonymous_text_append(const char *text, struct string_builder *ret)
{
	const char *copied = text; // up to here
	for (const char *place = text; *place; place++) {
		const struct anonymous_rule *rule = anonymous_text_find(text, place);
		if (!rule)
			continue;
		const char *name = place + strlen(rule->folder);
		// A path that begins like \\?\ may have users further on.
		size_t length = *name == '?' || *name == '.' ? 1 : strcspn(name, rule->name_end);
		if (anonymous_text_is_kept(name, length))
			continue;
		string_builder_append_n(ret, copied, (size_t)(name - copied));
		string_builder_append(ret, rule->name);
		copied = name + length;
		place = copied - 1;
	}
	if (copied == text)
		return false;
	string_builder_append(ret, copied);
	return true;
}
