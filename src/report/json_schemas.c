// SPDX-License-Identifier: Apache-2.0

#include "report/json_schemas.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/text/string_builder.h"
#include "report/result_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// The rows are made of the files in docs/schemas (json_schemas.cmake), in the order of their names.

static const struct json_schema {
	const char *kind;
	const char *text; /* ends with a newline */
} json_schemas[] = {
#include "json_schemas.inc"
};

static struct error *json_schemas_refuse(const char *kind)
{
	_cleanup_(string_builder_deinit) struct string_builder kinds = STRING_BUILDER_INIT;
	for (size_t i = 0; i < ARRAY_SIZE(json_schemas); i++)
		string_builder_appendf(&kinds, "%s%s", i ? ", " : "", json_schemas[i].kind);
	return error_with_hint(error_create(ERROR_USAGE, "no JSON of ours is called '%s'", kind),
			       "there are: %s", string_builder_peek(&kinds));
}

static void json_schemas_print_all(FILE *stream)
{
	for (size_t i = 0; i < ARRAY_SIZE(json_schemas); i++)
		fprintf(stream, "%s\"%s\": %.*s", i ? ",\n" : "{\n", json_schemas[i].kind,
			(int)strlen(json_schemas[i].text) - 1, json_schemas[i].text);
	fputs("\n}\n", stream);
}

struct error *json_schemas_write(const char *kind, const char *path)
{
	const char *text = NULL;
	for (size_t i = 0; kind && i < ARRAY_SIZE(json_schemas); i++)
		if (strcmp(json_schemas[i].kind, kind) == 0)
			text = json_schemas[i].text;
	if (kind && !text)
		return json_schemas_refuse(kind);
	_cleanup_(result_file_deinit) struct result_file file = RESULT_FILE_INIT;
	struct error *err = path ? result_file_open(path, &file) : NULL;
	if (err)
		return err;
	FILE *stream = path ? file.stream : stdout;
	if (text)
		fputs(text, stream);
	else
		json_schemas_print_all(stream);
	if (path)
		return result_file_close(&file);
	return fflush(stdout) ? error_create_errno(errno, "cannot write standard output") : NULL;
}
