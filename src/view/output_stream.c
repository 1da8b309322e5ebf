// SPDX-License-Identifier: Apache-2.0
#include "view/output_stream.h"

#include <errno.h>

// stdio remembers that a write failed (ferror()), so that views write without looking, and ask once
// in the end. fflush() is needed: a full disk shows only when the buffer is written.

struct error *output_stream_flush(FILE *stream, const char *name)
{
	errno = 0;
	if (fflush(stream) == 0 && !ferror(stream))
		return NULL;
	// An earlier failure has left its mark on the stream but not its reason.
	if (errno == 0)
		return error_create(ERROR_FAILED, "cannot write %s", name);
	return error_create_errno(errno, "cannot write %s", name);
}
