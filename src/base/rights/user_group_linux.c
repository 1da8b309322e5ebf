// SPDX-License-Identifier: Apache-2.0
// /etc/group (group(5)) is read here; groups of a network are asked for by getent(1), as a static
// program cannot load the C library's modules for them. Groups are created by the system's own
// tool: that of shadow, or busybox's. Programs are named by their paths and get no environment,
// since root runs them.

#include "base/rights/user_group.h"

#include "base/container/array.h"
#include "base/text/number.h"
#include "base/text/string_builder.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_NAME = 32 };

/** The number in "NAME:PASSWORD:NUMBER:MEMBERS". */
static bool user_group_read_line(const char *line, const char *name, uint32_t *ret)
{
	size_t length = strlen(name);
	if (strncmp(line, name, length) != 0 || line[length] != ':')
		return false;
	const char *digits = strchr(line + length + 1, ':');
	uint64_t number;
	if (!digits || number_parse_decimal(digits + 1, strcspn(digits + 1, ":"), &number) ||
	    number >= UINT32_MAX)
		return false;
	*ret = (uint32_t)number;
	return true;
}

static bool user_group_read(FILE *file, const char *name, uint32_t *ret)
{
	_cleanup_free_ char *line = NULL;
	size_t size = 0;
	bool is_there = false;
	while (!is_there && getline(&line, &size, file) >= 0)
		is_there = user_group_read_line(line, name, ret);
	return is_there;
}

/** @output: gets its standard output, or -1. @return whether it ended with 0. */
static bool user_group_run(const char *const *words, int output)
{
	static char *const no_environment[] = {NULL};
	posix_spawn_file_actions_t actions;
	if (posix_spawn_file_actions_init(&actions))
		return false;
	pid_t pid;
	int status;
	bool is_started =
		(output < 0 || !posix_spawn_file_actions_adddup2(&actions, output, 1)) &&
		!posix_spawn(&pid, words[0], &actions, NULL, (char *const *)words, no_environment);
	posix_spawn_file_actions_destroy(&actions);
	if (!is_started)
		return false;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/** One group's line is short: the tool ends before its pipe is read. */
static bool user_group_ask(const char *name, uint32_t *ret)
{
	const char *const words[] = {"/usr/bin/getent", "group", name, NULL};
	FILE *answer = tmpfile();
	if (!answer)
		return false;
	bool is_there = user_group_run(words, fileno(answer));
	rewind(answer);
	is_there = is_there && user_group_read(answer, name, ret);
	fclose(answer);
	return is_there;
}

struct error *user_group_find(const char *name, uint32_t *ret)
{
	FILE *file = fopen("/etc/group", "re");
	bool is_there = file && user_group_read(file, name, ret);
	if (file)
		fclose(file);
	if (is_there || user_group_ask(name, ret))
		return NULL;
	return error_create(ERROR_ABSENT, "there is no group '%s'", name);
}

bool user_group_may_be(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";
	static const char others[] = "abcdefghijklmnopqrstuvwxyz_0123456789-";
	size_t length = strlen(name);
	return length && length <= MAX_NAME && strchr(letters, *name) &&
	       strspn(name, others) == length;
}

struct user_group_tool {
	const char *path, *option;
};

/** Of this system; NULL: none. */
static const struct user_group_tool *user_group_find_tool(void)
{
	static const struct user_group_tool tools[] = {
		{"/usr/sbin/groupadd", "--system"},
		{"/usr/sbin/addgroup", "-S"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(tools); i++)
		if (access(tools[i].path, X_OK) == 0)
			return &tools[i];
	return NULL;
}

static struct error *user_group_refuse(const char *name)
{
	return error_with_hint(error_create(ERROR_FAILED, "cannot create the group '%s'", name),
			       "create it yourself, or name another one: --group NAME");
}

struct error *user_group_command(const char *name, char **ret)
{
	const struct user_group_tool *tool = user_group_find_tool();
	if (!tool)
		return user_group_refuse(name);
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	string_builder_appendf(&text, "%s %s %s", tool->path, tool->option, name);
	return string_builder_finish(&text, ret);
}

struct error *user_group_create(const char *name)
{
	const struct user_group_tool *tool = user_group_find_tool();
	if (!tool)
		return user_group_refuse(name);
	const char *const words[] = {tool->path, tool->option, name, NULL};
	return user_group_run(words, -1) ? NULL : user_group_refuse(name);
}
