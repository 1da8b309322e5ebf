/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_CONTROL_CONTROL_CHANNEL_H
#define WPERF_SESSION_CONTROL_CONTROL_CHANNEL_H

/**
 * `--control fd:CTL[,ACK]` and `--control fifo:CTL[,ACK]`: another program writes commands, a line
 * each, and reads an answer for each from ACK: "ack\n" if it was done, "error: WHY\n" if not.
 *
 *	control_channel_open();
 *	loop: wait until `fd` is readable; control_channel_next() until there is none;
 *	      do the command; control_channel_ack() or control_channel_refuse()
 *	control_channel_close();
 *
 * Nothing here waits for the other program: answers that it does not read are dropped and counted.
 * Linux only.
 */

#include "base/error.h"
#include "session/control/control_command.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct control_channel {
	int fd;     /* of commands, for a wait; -1 after its writers have closed it: no more come */
	int ack_fd; /* -1: nobody wants answers */
	uint64_t num_unread; /* answers that could not be written */
	/* private */
	bool is_opened_here; /* a fifo: we close it */
	bool skips;          /* the rest of a line that was too long */
	size_t num_bytes;
	char bytes[CONTROL_LINE_MAX + 1]; /* of lines without an end so far */
};

#define CONTROL_CHANNEL_INIT            \
	{                               \
		.fd = -1, .ack_fd = -1, \
	}

/**
 * @spec: the value of --control. Errors are ERROR_USAGE where the words are wrong.
 * @ret: descriptors of the command line are not passed on to programs that are started later.
 */
struct error *control_channel_open(const char *spec, struct control_channel *ret);

/** Also one that was not opened. */
void control_channel_close(struct control_channel *channel);

/** The next command, without a wait. @ret_is_there: false: there is none now. */
struct error *control_channel_next(struct control_channel *channel, struct control_command *ret,
				   bool *ret_is_there);

/** The command was done. */
void control_channel_ack(struct control_channel *channel);

/** It was not. @why: one line. */
void control_channel_refuse(struct control_channel *channel, const char *why);

#endif
