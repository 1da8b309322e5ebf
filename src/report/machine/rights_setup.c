// SPDX-License-Identifier: Apache-2.0
// Lending is checked first (group name, file), then the commands are printed or done: create the
// group, close the file to others, give it capabilities. All printed commands do what wperf does by
// itself, except that only wperf remembers what the file was.

#include "report/machine/rights_setup.h"

#include "base/os/privileges.h"
#include "base/rights/own_program.h"
#include "base/rights/user_group.h"
#include "base/text/shell_word.h"
#include "report/machine/probing.h"

#include <stdio.h>

static struct error *list_missing(void *context, const char *source, const struct probe *probe)
{
	size_t *num_missing = context;
	for (size_t i = 0; i < probe->num_findings; i++) {
		const struct probe_finding *finding = &probe->findings[i];
		if (finding->state == PROBE_YES)
			continue;
		printf("%s%s: %s\n", (*num_missing)++ ? "\n" : "", source, finding->ability);
		printf("    missing:     %s\n", finding->detail);
		if (finding->command)
			printf("    command:     %s\n", finding->command);
		if (finding->hint)
			printf("    what to do:  %s\n", finding->hint);
	}
	return NULL;
}

struct error *rights_setup_list(const char *source)
{
	size_t num_missing = 0;
	struct error *err = probing_visit(source, list_missing, &num_missing);
	if (!err && !num_missing)
		puts("nothing is missing");
	return err;
}

/** The group's number, if it is there. */
static struct error *rights_setup_find_group(const char *name, bool *ret_is_there, uint32_t *ret)
{
	if (!user_group_may_be(name))
		return error_with_hint(
			error_create(ERROR_USAGE, "'%s' is no name of a group", name),
			"a small letter or '_' first, then small letters, digits, '_' and '-'");
	struct error *err = user_group_find(name, ret);
	*ret_is_there = !err;
	if (!err || err->code != ERROR_ABSENT)
		return err;
	error_destroy(err);
	return NULL;
}

/** For a shell; @ret: freed by the caller. */
static struct error *rights_setup_path(const struct own_program *program, char **ret)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	shell_word_append(&text, program->path);
	return string_builder_finish(&text, ret);
}

static struct error *print_lending(const struct own_program *program, const char *group,
				   bool is_there, const char *sudo)
{
	_cleanup_free_ char *creation = NULL, *path = NULL;
	struct error *err = is_there ? NULL : user_group_command(group, &creation);
	if (!err)
		err = rights_setup_path(program, &path);
	if (err)
		return err;
	if (creation)
		printf("%s%s\n", sudo, creation);
	printf("%schgrp %s %s\n", sudo, group, path);
	printf("%schmod 750 %s\n", sudo, path);
	printf("%ssetcap " OWN_PROGRAM_CAPABILITIES "+ep %s\n", sudo, path);
	return NULL;
}

static struct error *rights_setup_refuse(const struct own_program *program, const char *options)
{
	fflush(stdout);
	return error_with_hint(error_create(ERROR_FAILED, "only root can change what '%s' may do",
					    program->path),
			       "as root: wperf setup %s, or these commands", options);
}

static void rights_setup_print_done(const struct own_program *program, const char *group,
				    bool is_remembered)
{
	printf("%s: root and the members of '%s' may run it, with " OWN_PROGRAM_CAPABILITIES "\n",
	       program->path, group);
	if (!is_remembered)
		puts("note: what the file was cannot be remembered here; --undo makes it root's, "
		     "mode 755");
	printf("members, from their next login on:  usermod -aG %s USER\n", group);
	puts("a new version of the file needs it again");
	puts("to undo:  wperf setup --undo");
}

static struct error *rights_setup_do_lend(struct own_program *program, const char *name,
					  bool is_there, uint32_t group)
{
	struct error *err = NULL;
	if (!is_there) {
		err = user_group_create(name);
		if (!err)
			err = user_group_find(name, &group);
		if (!err)
			printf("created the group '%s'\n", name);
	}
	bool is_remembered = false;
	if (!err)
		err = own_program_lend(program, group, &is_remembered);
	if (!err)
		rights_setup_print_done(program, name, is_remembered);
	return err;
}

struct error *rights_setup_lend(const char *group, bool is_dry)
{
	_cleanup_(own_program_close) struct own_program program = OWN_PROGRAM_INIT;
	const char *name = group ? group : RIGHTS_SETUP_GROUP;
	uint32_t number = 0;
	bool is_there = false, is_root = privileges_are_root();
	struct error *err = own_program_open(&program);
	if (!err)
		err = rights_setup_find_group(name, &is_there, &number);
	if (!err)
		err = own_program_check(&program);
	if (err)
		return err;
	if (is_root && !is_dry)
		return rights_setup_do_lend(&program, name, is_there, number);
	err = print_lending(&program, name, is_there, is_root ? "" : "sudo ");
	return err || is_dry ? err : rights_setup_refuse(&program, "--capabilities");
}

static struct error *print_undoing(const struct own_program *program, const char *sudo)
{
	_cleanup_free_ char *path = NULL;
	struct error *err = rights_setup_path(program, &path);
	if (err)
		return err;
	// What it was is known to root alone: these are the rights that packages give it.
	if (program->lends)
		printf("%ssetcap -r %s\n", sudo, path);
	printf("%schgrp root %s\n", sudo, path);
	printf("%schmod 755 %s\n", sudo, path);
	return NULL;
}

struct error *rights_setup_undo(bool is_dry)
{
	_cleanup_(own_program_close) struct own_program program = OWN_PROGRAM_INIT;
	struct error *err = own_program_open(&program);
	if (err)
		return err;
	bool is_root = privileges_are_root();
	if (!program.lends && !program.is_remembered) {
		printf("%s has no capabilities: there is nothing to undo\n", program.path);
		return NULL;
	}
	if (is_dry || !is_root) {
		err = print_undoing(&program, is_root ? "" : "sudo ");
		return err || is_dry ? err : rights_setup_refuse(&program, "--undo");
	}
	err = own_program_restore(&program);
	if (!err)
		printf("%s is what it was before; groups and their members are not changed\n",
		       program.path);
	return err;
}
