// SPDX-License-Identifier: Apache-2.0
// Input: keys and values in turn, with a zero byte behind each. What is understood is a query that
// no engine has to check again.

#include "base/cleanup.h"
#include "server/query/query_arguments.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 200 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool is_right)
{
	if (!is_right)
		abort();
}

static void check_query(const struct store_query *query)
{
	check(query->from_ns < STORE_MAX_NS && query->until_ns < STORE_MAX_NS);
	check(query->step_ns < STORE_MAX_NS && query->num_labels <= QUERY_MAX_LABELS);
	for (size_t i = 0; i < query->num_labels; i++)
		check(*query->labels[i].key && !strchr(query->labels[i].key, '=') &&
		      query->labels[i].value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = calloc(size + 1, 1);
	if (!text)
		return 0;
	if (size)
		memcpy(text, data, size);
	struct server_argument arguments[MAX_ARGUMENTS];
	size_t num = 0, at = 0;
	while (num < MAX_ARGUMENTS && at < size) {
		const char *key = text + at;
		at += strlen(key) + 1;
		const char *value = at < size ? text + at : "";
		at += strlen(value) + 1;
		arguments[num++] = (struct server_argument){key, value};
	}
	struct query_arguments parsed;
	struct error *err =
		query_arguments_read(arguments, num, UINT64_C(1760000000000000000), &parsed);
	check(!err || err->code == ERROR_USAGE || err == &error_no_memory);
	if (!err)
		check_query(&parsed.query);
	error_destroy(err);
	query_arguments_deinit(&parsed);
	return 0;
}
