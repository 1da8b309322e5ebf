// SPDX-License-Identifier: Apache-2.0
// The functions are those of multiprocessing and concurrent.futures of CPython 3.6 to 3.15,
// gunicorn 20, uvicorn 0.17, and celery 5 with billiard 4. What a fork starts keeps the stack of
// its parent, so that the mark that counts is the innermost one; and what only the parent is in
// while it forks is no mark: Arbiter.spawn_worker() of gunicorn, Process.start(). Workers of a Pool
// and threads of a ThreadPool run the same function.

#include "interpreter/python/python_roles.h"

#include "base/container/array.h"

#include <stddef.h>
#include <string.h>

static const char of_multiprocessing[] = "multiprocessing: parent";
static const char resource_tracker[] = "multiprocessing: resource tracker";
static const char fork_server[] = "multiprocessing: fork server";
static const char process[] = "multiprocessing: process";
static const char of_uvicorn[] = "uvicorn: parent";
static const char of_celery[] = "celery: main process";

enum { BOOTSTRAP }; // a row

const struct language_role python_roles[] = {
	[BOOTSTRAP] = {"multiprocessing/process.py", "_bootstrap", process, of_multiprocessing,
		       NULL},
	{"multiprocessing/spawn.py", "spawn_main", process, of_multiprocessing, NULL},
	{"multiprocessing/pool.py", "worker", "multiprocessing: worker of Pool", of_multiprocessing,
	 &python_roles[BOOTSTRAP]},
	{"concurrent/futures/process.py", "_process_worker",
	 "multiprocessing: worker of ProcessPoolExecutor", of_multiprocessing, NULL},
	{"multiprocessing/managers.py", "_run_server", "multiprocessing: manager",
	 of_multiprocessing, NULL},
	{"multiprocessing/forkserver.py", "main", fork_server, of_multiprocessing, NULL},
	{"multiprocessing/resource_tracker.py", "main", resource_tracker, of_multiprocessing, NULL},
	// Before 3.8.
	{"multiprocessing/semaphore_tracker.py", "main", resource_tracker, of_multiprocessing,
	 NULL},
	{"gunicorn/arbiter.py", "run", "gunicorn: master", NULL, NULL},
	{"gunicorn/workers/base.py", "init_process", "gunicorn: worker", NULL, NULL},
	{"uvicorn/supervisors/multiprocess.py", "run", of_uvicorn, NULL, NULL},
	{"uvicorn/supervisors/basereload.py", "run", of_uvicorn, NULL, NULL},
	// With an underscore since 0.20.
	{"uvicorn/subprocess.py", "subprocess_started", "uvicorn: worker", of_uvicorn, NULL},
	{"uvicorn/_subprocess.py", "subprocess_started", "uvicorn: worker", of_uvicorn, NULL},
	{"celery/worker/worker.py", "start", of_celery, NULL, NULL},
	{"celery/beat.py", "start", "celery: beat", NULL, NULL},
	{"billiard/process.py", "_bootstrap", "celery: worker", of_celery, NULL},
	// `python -m`
	{"runpy.py", "_run_module_as_main", NULL, NULL, NULL},
	{"runpy.py", "_run_code", NULL, NULL, NULL},
	{"<frozen runpy>", "_run_module_as_main", NULL, NULL, NULL},
	{"<frozen runpy>", "_run_code", NULL, NULL, NULL},
	{0},
};

// `python -c` of multiprocessing/util.py, and of popen_spawn_posix.py and spawn.py.
static const struct {
	const char *command, *words;
} commands[] = {
	{"from multiprocessing.resource_tracker import main", resource_tracker},
	{"from multiprocessing.semaphore_tracker import main", resource_tracker},
	{"from multiprocessing.forkserver import main", fork_server},
	{"from multiprocessing.spawn import spawn_main", process},
};

const char *python_roles_of_command(const char *command)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (strstr(command, commands[i].command))
			return commands[i].words;
	return NULL;
}
