// SPDX-License-Identifier: Apache-2.0

#include "source/emulate/guest_program.h"

#include "base/container/array.h"
#include "driver/emulator/program_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// guest_program_find() imitates execve(2) for a foreign system: find the file of the first word (a
// path, the sysroot's folders, then PATH), follow up to four #! lines, each of which puts the
// interpreter and its argument in front, and find the sysroot. Without --sysroot, that is the
// nearest folder above the program in which its ELF interpreter (PT_INTERP) exists, as in an
// unpacked root file system, or the folder of Debian's cross compiler.

enum { MAX_INTERPRETERS = 4 };

static const char *const program_folders[] = {"/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin",
					      "/sbin"};

// Where Debian's cross compilers have their loader.
static const char *const common_sysroots[] = {"/usr/aarch64-linux-gnu"};

void guest_program_deinit(struct guest_program *program)
{
	for (char **word = program->arguments; word && *word; word++)
		free(*word);
	free(program->arguments);
	program->arguments = NULL;
}

static bool guest_program_join(char *ret, const char *folder, const char *name)
{
	int length = snprintf(ret, PATH_MAX, "%s/%s", folder, name);
	return length > 0 && length < PATH_MAX;
}

static bool guest_program_is_program(const char *path)
{
	struct program_script script;
	enum program_kind kind = program_file_kind(path, &script);
	return kind == PROGRAM_AARCH64 || kind == PROGRAM_SCRIPT;
}

// As execvp(3): a name with a slash is a path, others are looked up.
static struct error *find_path(const char *name, const char *sysroot, char *ret)
{
	if (strchr(name, '/')) {
		program_file_place(sysroot ? sysroot : "", name, ret, PATH_MAX);
		return NULL;
	}
	for (size_t i = 0; sysroot && i < ARRAY_SIZE(program_folders); i++) {
		char folder[PATH_MAX];
		if (guest_program_join(folder, sysroot, program_folders[i] + 1) &&
		    guest_program_join(ret, folder, name) && guest_program_is_program(ret))
			return NULL;
	}
	if (program_file_in_path(name, guest_program_is_program, ret, PATH_MAX))
		return NULL;
	return error_with_hint(error_create(ERROR_FAILED, "cannot run '%s' in the emulator", name),
			       "no AArch64 program of that name; give its path, or the folder of "
			       "its system with --sysroot");
}

/** The folder above the program in which this loader is. */
static bool find_above(const char *program, const char *loader, char *ret)
{
	char path[PATH_MAX], beside[2 * PATH_MAX];
	if (!realpath(program, path))
		return false;
	// From the program's own folder upwards: the innermost system is its own.
	for (char *slash; (slash = strrchr(path, '/')) && slash != path;) {
		*slash = '\0';
		snprintf(beside, sizeof(beside), "%s%s", path, loader);
		if (access(beside, F_OK) != 0)
			continue;
		snprintf(ret, PATH_MAX, "%s", path);
		return true;
	}
	return false;
}

static bool guest_program_find_common(const char *loader, char *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(common_sysroots); i++) {
		char path[2 * PATH_MAX];
		snprintf(path, sizeof(path), "%s%s", common_sysroots[i], loader);
		if (access(path, F_OK) != 0)
			continue;
		snprintf(ret, PATH_MAX, "%s", common_sysroots[i]);
		return true;
	}
	return false;
}

static struct error *find_sysroot(const char *program, const char *said, char *ret)
{
	char loader[PATH_MAX], path[PATH_MAX];
	*ret = '\0';
	program_file_loader(program, loader, sizeof(loader));
	if (said && (!realpath(said, ret) || strlen(ret) == 0))
		return error_create_errno(errno, "cannot use the folder '%s'", said);
	// A static program has no loader, and needs no sysroot.
	if (!said && *loader &&
	    (find_above(program, loader, ret) || guest_program_find_common(loader, ret)))
		return NULL;
	program_file_place(ret, loader, path, sizeof(path));
	if (!*loader || access(path, F_OK) == 0)
		return NULL;
	return error_with_hint(
		error_create(ERROR_FAILED, "the loader of '%s' is missing: %s", program, loader),
		"give the folder of its system: --sysroot DIR, where DIR%s exists", loader);
}

static struct error *guest_program_prepend(struct guest_program *program, const char *word)
{
	size_t num = 0;
	while (program->arguments[num])
		num++;
	char **arguments = calloc(num + 2, sizeof(*arguments));
	if (!arguments || !(arguments[0] = strdup(word))) {
		free(arguments);
		return &error_no_memory;
	}
	memcpy(arguments + 1, program->arguments, num * sizeof(*arguments));
	free(program->arguments);
	program->arguments = arguments;
	return NULL;
}

/** A script's name gives way to its path, and its interpreter goes before. */
static struct error *guest_program_follow(struct guest_program *program,
					  const struct program_script *script, const char *sysroot)
{
	char *path = strdup(program->path);
	if (!path)
		return &error_no_memory;
	free(program->arguments[0]);
	program->arguments[0] = path;
	struct error *err =
		*script->argument ? guest_program_prepend(program, script->argument) : NULL;
	if (!err)
		err = guest_program_prepend(program, script->interpreter);
	program_file_place(sysroot ? sysroot : "", script->interpreter, program->path,
			   sizeof(program->path));
	return err;
}

static struct error *guest_program_resolve(struct guest_program *program, const char *sysroot)
{
	struct error *err = NULL;
	enum program_kind kind = PROGRAM_NONE;
	for (int i = 0; !err && i <= MAX_INTERPRETERS; i++) {
		struct program_script script;
		kind = program_file_kind(program->path, &script);
		if (kind != PROGRAM_SCRIPT)
			break;
		err = guest_program_follow(program, &script, sysroot);
	}
	if (err || kind == PROGRAM_AARCH64)
		return err;
	err = error_create(ERROR_FAILED, "cannot run '%s' in the emulator", program->path);
	if (kind == PROGRAM_FOREIGN)
		return error_with_hint(err, "it is not an AArch64 program");
	if (access(program->path, F_OK))
		return error_with_hint(err, "no such file");
	return error_with_hint(err, access(program->path, X_OK) ? "it is not executable (chmod +x)"
								: "it is not an AArch64 program");
}

struct error *guest_program_find(char *const *command, const char *sysroot,
				 struct guest_program *ret)
{
	_cleanup_(guest_program_deinit) struct guest_program program = GUEST_PROGRAM_INIT;
	size_t num = 0;
	while (command[num])
		num++;
	program.arguments = calloc(num + 1, sizeof(*program.arguments));
	if (!program.arguments)
		return &error_no_memory;
	for (size_t i = 0; i < num; i++)
		if (!(program.arguments[i] = strdup(command[i])))
			return &error_no_memory;
	struct error *err = find_path(command[0], sysroot, program.path);
	if (!err)
		err = guest_program_resolve(&program, sysroot);
	if (!err)
		err = find_sysroot(program.path, sysroot, program.sysroot);
	if (err)
		return err;
	*ret = program;
	program.arguments = NULL;
	return NULL;
}
