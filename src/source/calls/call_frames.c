// SPDX-License-Identifier: Apache-2.0

#include "source/calls/call_frames.h"

#include "base/container/array.h"
#include "source/calls/call_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// An address is that of the kind of file and the number, or of the other thread, behind all of
// these. They begin at the lowest address of the upper half, which is not canonical on x86-64 and
// not valid on AArch64. Each has some bytes, as callers are looked up by the byte before their
// address.

#define CALL_FRAMES_START ((uint64_t)1 << 63)

enum { FRAME_BYTES = 16, MIDDLE = 8, FIRST_OTHER = CALL_NUM_FILES * CALL_NUMBERS };

static const char *const calls_of_files[] = {
	"read",    "write",    "readv",    "writev",   "pread64",    "pwrite64",  "preadv",
	"pwritev", "preadv2",  "pwritev2", "recvfrom", "recvmsg",    "recvmmsg",  "sendto",
	"sendmsg", "sendmmsg", "accept",   "accept4",  "connect",    "fsync",     "fdatasync",
	"splice",  "sendfile", "flock",    "ioctl",    "getdents64", "ftruncate", "fallocate",
};

void call_frames_init(struct call_frames *frames)
{
	memset(frames, 0, sizeof(*frames));
	for (size_t i = 0; i < ARRAY_SIZE(calls_of_files); i++) {
		uint32_t number;
		if (call_number(calls_of_files[i], &number) && number < CALL_NUMBERS)
			frames->takes_file[number] = true;
	}
}

void call_frames_deinit(struct call_frames *frames)
{
	free(take_ptr(frames->symbols));
	free(take_ptr(frames->texts));
}

static uint64_t call_frames_address(size_t place)
{
	return CALL_FRAMES_START + place * FRAME_BYTES;
}

uint64_t call_frames_add(struct call_frames *frames, const struct call_output *output)
{
	size_t number = output->number < CALL_NUMBERS ? output->number : CALL_NUMBERS - 1;
	bool has_file = frames->takes_file[number] && output->file < CALL_NUM_FILES;
	size_t file = has_file ? output->file : CALL_FILE_UNKNOWN;
	frames->is_seen[file][number] = true;
	return call_frames_address(file * CALL_NUMBERS + number) + MIDDLE;
}

static bool call_other_equals(const struct call_other *a, const struct call_other *b)
{
	return a->kind == b->kind && a->pid == b->pid && a->tid == b->tid &&
	       a->address == b->address;
}

uint64_t call_frames_add_other(struct call_frames *frames, const struct call_other *other)
{
	enum { LAST = CALL_MAX_OTHERS - 1 };
	size_t i = 0;
	while (i < frames->num_others && i < LAST && !call_other_equals(&frames->others[i], other))
		i++;
	if (i == frames->num_others)
		frames->others[frames->num_others++] = i == LAST ? (struct call_other){0} : *other;
	return call_frames_address(FIRST_OTHER + i) + MIDDLE;
}

static void call_frames_name_call(size_t place, char ret[static 64])
{
	static const char *const files[CALL_NUM_FILES] = {
		[CALL_FILE_PIPE] = " (pipe)",    [CALL_FILE_SOCKET] = " (socket)",
		[CALL_FILE_REGULAR] = " (file)", [CALL_FILE_TERMINAL] = " (device)",
		[CALL_FILE_OTHER] = " (other)",
	};
	uint32_t number = (uint32_t)(place % CALL_NUMBERS);
	const char *name = call_name(number), *file = files[place / CALL_NUMBERS];
	if (name)
		snprintf(ret, 64, "%s%s", name, file ? file : "");
	else
		snprintf(ret, 64, "call %u", number);
}

static void call_frames_name_other(const struct call_other *other, char ret[static 64])
{
	uint64_t address = other->address;
	const char *call = call_name((uint32_t)address);
	if (!other->tid)
		snprintf(ret, 64, "[other threads]");
	else if (other->kind == CALL_OTHER_HOLDS)
		snprintf(ret, 64, "[lock %#" PRIx64 " held by thread %u]", address, other->tid);
	else if (other->kind == CALL_OTHER_HOLDS_GIL)
		snprintf(ret, 64, "[GIL held by thread %u]", other->tid);
	else
		snprintf(ret, 64, "[wakes thread %u in %s]", other->tid, call ? call : "a call");
}

const struct sample_symbol *call_frames_symbols(struct call_frames *frames, size_t *ret_num)
{
	size_t num_seen = frames->num_others, num = 0;
	for (size_t place = 0; place < FIRST_OTHER; place++)
		num_seen += frames->is_seen[place / CALL_NUMBERS][place % CALL_NUMBERS];
	call_frames_deinit(frames);
	frames->symbols = calloc(num_seen + 1, sizeof(*frames->symbols));
	frames->texts = calloc(num_seen + 1, sizeof(*frames->texts));
	*ret_num = 0;
	if (!frames->symbols || !frames->texts)
		return NULL;
	for (size_t place = 0; place < FIRST_OTHER + frames->num_others; place++) {
		if (place >= FIRST_OTHER)
			call_frames_name_other(&frames->others[place - FIRST_OTHER],
					       frames->texts[num]);
		else if (frames->is_seen[place / CALL_NUMBERS][place % CALL_NUMBERS])
			call_frames_name_call(place, frames->texts[num]);
		else
			continue;
		frames->symbols[num] = (struct sample_symbol){
			.address = call_frames_address(place),
			.size = FRAME_BYTES,
			.name = frames->texts[num],
		};
		num++;
	}
	*ret_num = num;
	return frames->symbols;
}
