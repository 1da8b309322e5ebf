// SPDX-License-Identifier: Apache-2.0
// Exits with 0 if jansson takes what comes in as one JSON document.

#include <jansson.h>
#include <stdio.h>

int main(void)
{
	json_error_t error;
	json_t *document = json_loadf(stdin, JSON_REJECT_DUPLICATES, &error);
	if (!document)
		fprintf(stderr, "line %d, column %d: %s\n", error.line, error.column, error.text);
	json_decref(document);
	return !document;
}
