// SPDX-License-Identifier: Apache-2.0

#include "base/thread/thread.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

// The number of a thread is known only in the thread itself, so thread_start() waits for it. The
// mask of signals is inherited (pthread_create(3)): the caller's is changed for a moment.

struct thread {
	pthread_t thread;
	void (*run)(void *data);
	void *data;
	sem_t has_number;
	uint32_t number;
};

static void *thread_main(void *data)
{
	struct thread *thread = data;
	thread->number = thread_own_number();
	sem_post(&thread->has_number);
	thread->run(thread->data);
	return NULL;
}

/** What goes wrong in our code is reported where it went wrong: those signals cannot wait. */
static void thread_block_signals(sigset_t *ret_before)
{
	static const int own_faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
	sigset_t blocked;
	sigfillset(&blocked);
	for (size_t i = 0; i < sizeof(own_faults) / sizeof(own_faults[0]); i++)
		sigdelset(&blocked, own_faults[i]);
	pthread_sigmask(SIG_SETMASK, &blocked, ret_before);
}

struct error *thread_start(const char *name, void (*run)(void *data), void *data,
			   struct thread **ret)
{
	struct thread *thread = calloc(1, sizeof(*thread));
	if (!thread)
		return &error_no_memory;
	thread->run = run;
	thread->data = data;
	sem_init(&thread->has_number, 0, 0);
	sigset_t before;
	thread_block_signals(&before);
	int errnum = pthread_create(&thread->thread, NULL, thread_main, thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (errnum) {
		sem_destroy(&thread->has_number);
		free(thread);
		return error_create_errno(errnum, "cannot start a thread");
	}
	pthread_setname_np(thread->thread, name);
	while (sem_wait(&thread->has_number) && errno == EINTR)
		;
	*ret = thread;
	return NULL;
}

void thread_join(struct thread *thread)
{
	if (!thread)
		return;
	pthread_join(thread->thread, NULL);
	sem_destroy(&thread->has_number);
	free(thread);
}

uint32_t thread_number(const struct thread *thread)
{
	return thread->number;
}

uint32_t thread_own_number(void)
{
	// glibc has gettid() since 2.30.
	return (uint32_t)syscall(SYS_gettid);
}

uint32_t thread_own_process(void)
{
	return (uint32_t)getpid();
}
