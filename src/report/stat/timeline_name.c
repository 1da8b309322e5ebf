// SPDX-License-Identifier: Apache-2.0
// A name that the user gave may have {timestamp}, {class} and {core} in it; only the first of each
// is replaced. Without a given name it is:
//
//   wperf_core_1_2026_11_23_13_51_00.core.csv, wperf_system_side_2026_11_23_13_51_00.dsu.csv
//
// Classes of events have files of their own. Where a given name does not say where the class goes,
// the first file has the plain name and the others have their class before the extension.

#include "report/stat/timeline_name.h"

#include "base/text/string_builder.h"

#include <string.h>

static void append_time(struct string_builder *text, const struct tm *time)
{
	char buffer[32];
	strftime(buffer, sizeof(buffer), "%Y_%m_%d_%H_%M_%S", time);
	string_builder_append(text, buffer);
}

enum placeholder { TIMESTAMP, CLASS, CORE, NUM_PLACEHOLDERS };

static const char *const placeholders[NUM_PLACEHOLDERS] = {
	[TIMESTAMP] = "{timestamp}",
	[CLASS] = "{class}",
	[CORE] = "{core}",
};

static void append_given(struct string_builder *text, const struct timeline_name *name,
			 const char *given, const char *class_name)
{
	bool done[NUM_PLACEHOLDERS] = {false};
	while (*given) {
		// The one that stands here and was not filled in yet.
		unsigned which = 0;
		while (which < NUM_PLACEHOLDERS &&
		       (done[which] ||
			strncmp(given, placeholders[which], strlen(placeholders[which])) != 0))
			which++;
		if (which == NUM_PLACEHOLDERS) {
			string_builder_append_char(text, *given++);
			continue;
		}
		if (which == TIMESTAMP)
			append_time(text, &name->time);
		else if (which == CLASS)
			string_builder_append(text, class_name);
		else
			string_builder_appendf(text, "%u", name->first_core);
		done[which] = true;
		given += strlen(placeholders[which]);
	}
}

/** "out.csv" with the class before its extension: "out.dsu.csv". */
static struct error *insert_class(const char *path, const char *class_name, char **ret)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	const char *slash = strrchr(path, '/');
	const char *dot = strrchr(slash ? slash : path, '.');
	size_t stem = dot ? (size_t)(dot - path) : strlen(path);
	string_builder_append_n(&text, path, stem);
	string_builder_appendf(&text, ".%s%s", class_name, path + stem);
	return string_builder_finish(&text, ret);
}

struct error *timeline_name_make(const struct timeline_name *name, const char *class_name,
				 bool is_first, char **ret)
{
	const char *given = name->given;
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	// --output-prefix is a folder for relative names.
	if (name->prefix && !(given && *given == '/'))
		string_builder_appendf(&text, "%s/", name->prefix);
	if (given) {
		append_given(&text, name, given, class_name);
	} else {
		if (name->one_core)
			string_builder_appendf(&text, "wperf_core_%u_", name->first_core);
		else
			string_builder_append(&text, "wperf_system_side_");
		append_time(&text, &name->time);
		string_builder_appendf(&text, ".%s.csv", class_name);
	}
	_cleanup_free_ char *path = NULL;
	struct error *err = string_builder_finish(&text, &path);
	if (err)
		return err;
	if (given && !is_first && !strstr(given, placeholders[CLASS]))
		return insert_class(path, class_name, ret);
	*ret = take_ptr(path);
	return NULL;
}
