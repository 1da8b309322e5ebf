// SPDX-License-Identifier: Apache-2.0

#include "base/cleanup.h"
#include "base/text/json_document.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Every member is found by its name, and nothing lies outside of the document.
static void look_at(const struct json_value *value)
{
	for (uint32_t i = 0; value->type == JSON_VALUE_OBJECT && i < value->num_items; i++) {
		const struct json_member *member = &value->members[i];
		if (json_value_member(value, member->name) != &member->value)
			abort();
		look_at(&member->value);
	}
	for (uint32_t i = 0; value->type == JSON_VALUE_ARRAY && i < value->num_items; i++)
		look_at(&value->items[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(json_document_deinit) struct json_document document = JSON_DOCUMENT_INIT;
	error_destroy(json_document_parse(&document, "fuzz.json", data, size));
	if (document.root)
		look_at(document.root);
	return 0;
}
