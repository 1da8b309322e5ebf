// SPDX-License-Identifier: Apache-2.0

#include "source/memory/preloading.h"

#include "base/os/host.h"
#include "base/text/string_builder.h"
#include "process/program_format.h"
#include "source/companion_file.h"
#include "source/memory/preload/memory_region.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

// LD_PRELOAD is read by the dynamic loader, so a program without one (PT_INTERP) ignores it; and so
// do programs that get rights of their own by exec (ld.so(8), "Secure-execution mode"). Both would
// run without a single sample, so they are refused. For scripts, this is about their interpreter.

static const char library_name[] = "wperf-memory.so";

enum { MAX_SCRIPTS = 4 }; // of scripts that run scripts, as the kernel has it (execve(2))

struct error *preloading_find(char ret[static PATH_MAX])
{
	if (companion_file_find(library_name, ret))
		return NULL;
	return error_with_hint(error_create(ERROR_ABSENT, "%s is missing beside this wperf",
					    library_name),
			       "copy it from where this wperf comes from: the folder of wperf, or "
			       "../lib/wperf");
}

static struct error *preloading_refuse(const char *path, const char *why, const char *hint)
{
	return error_with_hint(error_create(ERROR_FAILED,
					    "cannot sample the allocations of '%s': %s", path, why),
			       "%s", hint);
}

static bool preloading_has_rights(const char *path)
{
	struct stat status;
	bool is_set = stat(path, &status) == 0 && (status.st_mode & (S_ISUID | S_ISGID));
	return (is_set && geteuid() != 0) || getxattr(path, "security.capability", NULL, 0) > 0;
}

static struct error *preloading_check_program(const char *path, const struct program_format *format)
{
	struct host host = host_read();
	const char *loader = strrchr(format->interpreter, '/');
	if (format->machine && strcmp(format->machine, host.machine) != 0)
		return preloading_refuse(path, "it is a program of another machine",
					 "use a program of this machine");
	if (!loader)
		return preloading_refuse(path,
					 "it is linked statically, so nothing can be "
					 "preloaded into it",
					 "link it dynamically; programs of Go are static unless "
					 "they use cgo");
	if (strncmp(loader, "/ld-musl", strlen("/ld-musl")) == 0)
		return preloading_refuse(path, "its C library is musl", "build it with glibc");
	if (preloading_has_rights(path))
		return preloading_refuse(path,
					 "it gets rights of its own (setuid or capabilities), and "
					 "the loader preloads nothing into such programs",
					 "run a copy of it without these rights, or run wperf as "
					 "root");
	return NULL;
}

struct error *preloading_check(const char *path)
{
	char at[PATH_MAX];
	snprintf(at, sizeof(at), "%s", path);
	for (unsigned i = 0; i < MAX_SCRIPTS; i++) {
		struct program_format format;
		// What cannot be read or run has an error of its own, later.
		if (!program_format_read_file(at, &format))
			return NULL;
		if (format.kind == PROGRAM_FORMAT_ELF && format.is_program)
			return preloading_check_program(at, &format);
		if (format.kind != PROGRAM_FORMAT_SCRIPT || !*format.interpreter)
			return NULL;
		snprintf(at, sizeof(at), "%s", format.interpreter);
	}
	return NULL;
}

static struct error *preloading_add(char **environment, size_t *num, const char *name,
				    const char *value, const char *old)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	string_builder_appendf(&text, "%s=%s", name, value);
	// Ours is first, so that it finds what was preloaded besides as the real allocator.
	if (old && *old)
		string_builder_appendf(&text, ":%s", old);
	struct error *err = string_builder_finish(&text, &environment[*num]);
	if (!err)
		++*num;
	return err;
}

static bool preloading_is_ours(const char *variable)
{
	static const char preload[] = "LD_PRELOAD=", region[] = MEMORY_VARIABLE "=";
	return strncmp(variable, preload, strlen(preload)) == 0 ||
	       strncmp(variable, region, strlen(region)) == 0;
}

struct error *preloading_environment(const char *library, const char *region, char ***ret)
{
	size_t num_old = 0, num = 0;
	while (environ[num_old])
		num_old++;
	char **environment = calloc(num_old + 3, sizeof(*environment));
	if (!environment)
		return &error_no_memory;
	struct error *err =
		preloading_add(environment, &num, "LD_PRELOAD", library, getenv("LD_PRELOAD"));
	if (!err)
		err = preloading_add(environment, &num, MEMORY_VARIABLE, region, NULL);
	for (size_t i = 0; !err && i < num_old; i++) {
		if (preloading_is_ours(environ[i]))
			continue;
		environment[num] = strdup(environ[i]);
		err = environment[num] ? NULL : &error_no_memory;
		num += !err;
	}
	if (err) {
		preloading_free_environment(environment);
		return err;
	}
	*ret = environment;
	return NULL;
}

void preloading_free_environment(char **environment)
{
	for (char **variable = environment; variable && *variable; variable++)
		free(*variable);
	free(environment);
}
