// SPDX-License-Identifier: Apache-2.0

#include "driver/emulator/plugin/guest_memory.h"

#include "driver/emulator/plugin/plugin_state.h"

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

size_t guest_memory_read(const struct plugin *plugin, uint64_t address, void *bytes, size_t size)
{
	struct iovec here = {.iov_base = bytes, .iov_len = size};
	struct iovec there = {.iov_base = (void *)(address + plugin->guest_base), .iov_len = size};
	ssize_t length = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
	return length > 0 ? (size_t)length : 0;
}

bool guest_memory_read_string(const struct plugin *plugin, uint64_t address, char *text,
			      size_t size)
{
	enum { PIECE = 256 }; // short enough not to run into a page that is not there too often
	size_t length = 0;
	while (length < size) {
		size_t wanted = size - length < PIECE ? size - length : PIECE;
		size_t got = guest_memory_read(plugin, address + length, text + length, wanted);
		if (memchr(text + length, '\0', got))
			return true;
		if (got < wanted)
			return false;
		length += got;
	}
	return false;
}
