// SPDX-License-Identifier: Apache-2.0

#include "base/os/random_bytes.h"

#include <errno.h>
#include <sys/random.h>

struct error *random_bytes_fill(void *bytes, size_t size)
{
	// Up to 256 bytes are given whole, once the kernel has enough (getrandom(2)).
	if (getrandom(bytes, size, 0) < 0)
		return error_create_errno(errno, "cannot get random bytes from the system");
	return NULL;
}
