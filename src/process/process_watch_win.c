// SPDX-License-Identifier: Apache-2.0

#include "process/process_watch.h"

#include "base/os/close_handle.h"
#include "base/os/handle_number.h"
#include "process/process_handle.h"

// A process is signalled when it has ended. Callers keep an int on every system: see
// base/os/handle_number.h.
struct error *process_watch_open(uint32_t pid, int *ret)
{
	HANDLE process;
	struct error *err = process_handle_open(pid, SYNCHRONIZE, "watch", &process);
	if (err)
		return err;
	*ret = number_of_handle(process);
	return NULL;
}

void process_watch_close(int *fd)
{
	HANDLE process = handle_of_number(*fd);
	close_handle(&process);
	*fd = -1;
}

bool process_watch_has_ended(int fd)
{
	return WaitForSingleObject(handle_of_number(fd), 0) == WAIT_OBJECT_0;
}
