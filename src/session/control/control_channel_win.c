// SPDX-License-Identifier: Apache-2.0

#include "session/control/control_channel.h"

struct error *control_channel_open(const char *spec, struct control_channel *ret)
{
	return error_with_hint(error_create(ERROR_USAGE,
					    "cannot take commands from '%s': --control needs Linux",
					    spec),
			       "on Windows, --timeout and Ctrl-C end a run");
}

void control_channel_close(struct control_channel *channel)
{
}

struct error *control_channel_next(struct control_channel *channel, struct control_command *ret,
				   bool *ret_is_there)
{
	*ret_is_there = false;
	return NULL;
}

void control_channel_ack(struct control_channel *channel)
{
}

void control_channel_refuse(struct control_channel *channel, const char *why)
{
}
