// SPDX-License-Identifier: Apache-2.0

#include "report/notes/control_notes.h"

#include <inttypes.h>

void control_notes_print(const struct control_channel *channel, FILE *stream)
{
	if (channel->num_refused)
		fprintf(stream,
			"note: commands of --control that were not done: %" PRIu64
			", the first: '%s'\n",
			channel->num_refused, channel->refused);
	if (channel->num_unread)
		fprintf(stream,
			"note: answers of --control that could not be written: %" PRIu64 "\n",
			channel->num_unread);
}
