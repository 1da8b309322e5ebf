// SPDX-License-Identifier: Apache-2.0

#include "base/terminal/standard_streams.h"

// Nothing to do: streams have no text mode here, and terminals show UTF-8.
void standard_streams_init(struct standard_streams *streams)
{
	*streams = (struct standard_streams){0};
}

void standard_streams_deinit(struct standard_streams *streams)
{
}
