// SPDX-License-Identifier: Apache-2.0

#include "base/thread/thread.h"

#include "base/os/close_handle.h"
#include "base/os/win_error.h"

#include <stdlib.h>
#include <windows.h>

// There are no signals that a thread would have to keep away. Its name is optional: Windows shows
// names since 10, version 1607, where SetThreadDescription() is new.

struct thread {
	HANDLE handle;
	void (*run)(void *data);
	void *data;
	DWORD number;
};

static DWORD WINAPI thread_main(void *data)
{
	struct thread *thread = data;
	thread->run(thread->data);
	return 0;
}

static void thread_set_name(HANDLE thread, const char *name)
{
	typedef HRESULT(WINAPI * set_name)(HANDLE, PCWSTR);
	WCHAR wide[16];
	set_name call = (set_name)(void *)GetProcAddress(GetModuleHandleW(L"kernel32.dll"),
							 "SetThreadDescription");
	if (call && MultiByteToWideChar(CP_UTF8, 0, name, -1, wide, ARRAYSIZE(wide)))
		call(thread, wide);
}

struct error *thread_start(const char *name, void (*run)(void *data), void *data,
			   struct thread **ret)
{
	struct thread *thread = calloc(1, sizeof(*thread));
	if (!thread)
		return &error_no_memory;
	thread->run = run;
	thread->data = data;
	thread->handle = CreateThread(NULL, 0, thread_main, thread, 0, &thread->number);
	if (!thread->handle) {
		free(thread);
		return win_error(GetLastError(), "cannot start a thread");
	}
	thread_set_name(thread->handle, name);
	*ret = thread;
	return NULL;
}

void thread_join(struct thread *thread)
{
	if (!thread)
		return;
	WaitForSingleObject(thread->handle, INFINITE);
	close_handle(&thread->handle);
	free(thread);
}

uint32_t thread_number(const struct thread *thread)
{
	return thread->number;
}

uint32_t thread_own_number(void)
{
	return GetCurrentThreadId();
}

uint32_t thread_own_process(void)
{
	return GetCurrentProcessId();
}
