// SPDX-License-Identifier: Apache-2.0

#include "server/server_call.h"

#include <string.h>

const char *server_call_argument(const struct server_call *call, const char *key)
{
	for (size_t i = 0; i < call->num_arguments; i++)
		if (strcmp(call->arguments[i].key, key) == 0)
			return call->arguments[i].value;
	return "";
}
