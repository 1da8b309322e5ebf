// SPDX-License-Identifier: Apache-2.0

#include "process/system/process_list.h"

#include "base/os/close_handle.h"
#include "process/memory/process_snapshot.h"
#include "process/system/number_list.h"

struct error *process_list(uint32_t **ret, size_t *ret_num)
{
	_cleanup_(number_list_deinit) struct number_list numbers = NUMBER_LIST_INIT;
	_cleanup_(close_handle) HANDLE snapshot = NULL;
	struct error *err = process_snapshot_take(TH32CS_SNAPPROCESS, &snapshot);
	PROCESSENTRY32W process = {.dwSize = sizeof(process)};
	for (BOOL more = !err && Process32FirstW(snapshot, &process); !err && more;
	     more = Process32NextW(snapshot, &process))
		if (process.th32ProcessID) // 0 is what idles
			err = number_list_add(&numbers, process.th32ProcessID);
	if (!err)
		number_list_finish(&numbers, ret, ret_num);
	return err;
}

struct error *process_list_threads(uint32_t pid, uint32_t **ret, size_t *ret_num)
{
	_cleanup_(number_list_deinit) struct number_list numbers = NUMBER_LIST_INIT;
	_cleanup_(close_handle) HANDLE snapshot = NULL;
	struct error *err =
		process_snapshot_take(TH32CS_SNAPTHREAD, &snapshot); // there is none of one
	THREADENTRY32 thread = {.dwSize = sizeof(thread)};
	for (BOOL more = !err && Thread32First(snapshot, &thread); !err && more;
	     more = Thread32Next(snapshot, &thread))
		if (thread.th32OwnerProcessID == pid)
			err = number_list_add(&numbers, thread.th32ThreadID);
	if (!err && numbers.num_items == 0)
		err = error_create(ERROR_FAILED,
				   "cannot list the threads of process %u: no such process", pid);
	if (!err)
		number_list_finish(&numbers, ret, ret_num);
	return err;
}
