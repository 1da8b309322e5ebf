// SPDX-License-Identifier: Apache-2.0

#include "object/disassembler_ops.h"

#include "base/array.h"
#include "base/close_fd.h"
#include "base/number.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

extern char **environ;

struct objdump {
	const char *program;
	const char *architecture;
	char name[64];
};

static const struct {
	const char *architecture;
	const char *programs[2];
} machines[] = {
	[OBJECT_MACHINE_X86_64] = {"i386:x86-64", {"objdump", "x86_64-linux-gnu-objdump"}},
	[OBJECT_MACHINE_AARCH64] = {"aarch64", {"objdump", "aarch64-linux-gnu-objdump"}},
};

/** A program that runs, and what it prints. */
struct running {
	pid_t pid; // 0: none
	FILE *output;
};

static void running_end(struct running *running)
{
	if (running->output)
		fclose(running->output);
	while (running->pid && waitpid(running->pid, NULL, 0) < 0 && errno == EINTR)
		;
	*running = (struct running){0};
}

static int spawn_with_output(const char *const *words, int write_end, pid_t *ret)
{
	posix_spawn_file_actions_t actions;
	int status = posix_spawn_file_actions_init(&actions);
	if (status)
		return status;
	status = posix_spawn_file_actions_adddup2(&actions, write_end, STDOUT_FILENO);
	if (!status)
		status = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
							  O_WRONLY, 0);
	if (!status)
		status = posix_spawnp(ret, words[0], &actions, NULL, (char *const *)words, environ);
	posix_spawn_file_actions_destroy(&actions);
	return status;
}

/** @words: argv of the program, searched in PATH. */
static struct error *run(const char *const *words, struct running *ret)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return error_create_errno(errno, "cannot run '%s'", words[0]);
	_cleanup_(close_fd) int read_end = ends[0];
	_cleanup_(close_fd) int write_end = ends[1];
	pid_t pid;
	int status = spawn_with_output(words, write_end, &pid);
	if (status)
		return error_create(ERROR_ABSENT, "cannot run '%s': %s", words[0],
				    strerror(status));
	*ret = (struct running){.pid = pid, .output = fdopen(read_end, "r")};
	if (!ret->output) {
		close_fd(&read_end);
		running_end(ret);
		return &error_no_memory;
	}
	read_end = -1; // the stream has it now
	return NULL;
}

struct line {
	char *text;
	size_t capacity;
};

static void line_deinit(struct line *line)
{
	free(line->text);
}

static bool next_line(struct running *running, struct line *line)
{
	return getline(&line->text, &line->capacity, running->output) > 0;
}

/** "GNU objdump (GNU Binutils for Debian) 2.40" gives "objdump 2.40". */
static struct error *read_version(struct objdump *objdump)
{
	const char *const words[] = {objdump->program, "--version", NULL};
	_cleanup_(running_end) struct running running = {0};
	_cleanup_(line_deinit) struct line line = {0};
	struct error *err = run(words, &running);
	if (err)
		return err;
	const char *version = "";
	if (next_line(&running, &line)) {
		line.text[strcspn(line.text, "\n")] = '\0';
		version = strrchr(line.text, ' ');
	}
	snprintf(objdump->name, sizeof(objdump->name), "objdump%s", version ? version : "");
	while (next_line(&running, &line)) // else the program may die of a broken pipe
		;
	return NULL;
}

/** Does the program know the machine? It lists them, "  aarch64" below each format. */
static struct error *knows_machine(const struct objdump *objdump, bool *ret)
{
	const char *const words[] = {objdump->program, "--info", NULL};
	_cleanup_(running_end) struct running running = {0};
	_cleanup_(line_deinit) struct line line = {0};
	struct error *err = run(words, &running);
	if (err)
		return err;
	size_t length = strcspn(objdump->architecture, ":");
	*ret = false;
	while (next_line(&running, &line))
		*ret |= !strncmp(line.text, "  ", 2) &&
			!strncmp(line.text + 2, objdump->architecture, length) &&
			isspace((unsigned char)line.text[2 + length]);
	return NULL;
}

static struct error *try_program(struct objdump *objdump, bool *ret)
{
	struct error *err = knows_machine(objdump, ret);
	return err || !*ret ? err : read_version(objdump);
}

static struct error *objdump_open(enum object_machine machine, void **ret)
{
	_cleanup_free_ struct objdump *objdump = calloc(1, sizeof(*objdump));
	if (!objdump)
		return &error_no_memory;
	objdump->architecture = machines[machine].architecture;
	for (size_t i = 0; i < ARRAY_SIZE(machines[machine].programs); i++) {
		objdump->program = machines[machine].programs[i];
		bool fits = false;
		struct error *err = try_program(objdump, &fits);
		if (err && err->code != ERROR_ABSENT)
			return err;
		error_destroy(err);
		if (fits) {
			*ret = take_ptr(objdump);
			return NULL;
		}
	}
	return error_create(ERROR_ABSENT, "objdump is not installed");
}

static struct error *write_all(int fd, struct object_bytes code)
{
	for (size_t at = 0; at < code.size;) {
		ssize_t written = write(fd, code.data + at, code.size - at);
		if (written < 0 && errno != EINTR)
			return error_create_errno(errno, "cannot write code for objdump");
		at += written > 0 ? (size_t)written : 0;
	}
	return NULL;
}

/** How many bytes a column like "48 89 e5 " or "d503201f " shows. */
static uint32_t count_bytes(const char *column, const char *end)
{
	uint32_t digits = 0;
	for (; column < end; column++)
		digits += isxdigit((unsigned char)*column) != 0;
	return digits / 2;
}

/** "  401000:\t48 89 e5             \tmov    %rsp,%rbp"; other lines are left out. */
static struct error *add_line(char *line, struct instruction_list *ret)
{
	char *colon = strstr(line, ":\t");
	if (!colon)
		return NULL;
	const char *start = line + strspn(line, " ");
	uint64_t address;
	if (number_parse_hex(start, (size_t)(colon - start), false, &address) != NUMBER_OK)
		return NULL;
	char *bytes = colon + 2;
	char *tab = strchr(bytes, '\t');
	if (!tab)
		return NULL;
	uint32_t size = count_bytes(bytes, tab);
	if (!size)
		return NULL;
	char *text = tab + 1;
	for (size_t end = strlen(text); end && isspace((unsigned char)text[end - 1]); end--)
		text[end - 1] = '\0';
	bool unknown =
		strstr(text, "(bad)") || !strncmp(text, ".inst", 5) || !strncmp(text, ".byte", 5);
	return instruction_list_add(ret, address, size, unknown ? "<unknown>" : text);
}

static bool is_complete(const struct instruction_list *list, struct object_bytes code)
{
	uint64_t next = code.address;
	for (size_t i = 0; i < list->num_items; i++) {
		if (list->items[i].address != next)
			return false;
		next += list->items[i].size;
	}
	return next == code.address + code.size;
}

static struct error *objdump_decode(void *context, struct object_bytes code,
				    struct instruction_list *ret)
{
	const struct objdump *objdump = context;
	_cleanup_(close_fd) int fd = memfd_create("code", 0); // inherited
	if (fd < 0)
		return error_create_errno(errno, "cannot write code for objdump");
	struct error *err = write_all(fd, code);
	if (err)
		return err;
	char path[40], start[48], architecture[32];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	snprintf(start, sizeof(start), "--adjust-vma=0x%" PRIx64, code.address);
	snprintf(architecture, sizeof(architecture), "-m%s", objdump->architecture);
	const char *const words[] = {objdump->program, "-D",  "-z", "-w", "-bbinary",
				     architecture,     start, path, NULL};
	_cleanup_(running_end) struct running running = {0};
	_cleanup_(line_deinit) struct line line = {0};
	err = run(words, &running);
	while (!err && next_line(&running, &line))
		err = add_line(line.text, ret);
	if (!err && !is_complete(ret, code))
		err = error_create(ERROR_FAILED, "cannot read the output of '%s'",
				   objdump->program);
	return err;
}

static const char *objdump_name(const void *context)
{
	const struct objdump *objdump = context;
	return objdump->name;
}

const struct disassembler_ops objdump_disassembler_ops = {
	.open = objdump_open,
	.close = free,
	.decode = objdump_decode,
	.name = objdump_name,
	.runs_program = true,
};
