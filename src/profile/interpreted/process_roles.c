// SPDX-License-Identifier: Apache-2.0

#include "profile/interpreted/process_roles.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/file/file_name.h"
#include "profile/hot/hot_key_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Each stack has a path: the marks on it, from its root to its leaf. A forked child keeps the stack
// of its parent, so that its path goes on from there, and the last mark is the child's own:
//
//	gunicorn: master      run
//	gunicorn: worker      run  init_process
//	worker of its Pool    run  init_process  _bootstrap  worker
//
// Samples are gone through in their order. A process has the path of its last sample that has one,
// but one that only lacks the end of it changes nothing: the process winds up then, or another of
// its threads was sampled. Without any, what the interpreter said of the process counts. When the
// process becomes another program, its old path ends. That is seen by the name of the process, or
// by the outermost function of its first thread: what a fork has left there before exec is the
// stack of the parent.

enum { ROLE_NONE = UINT32_MAX };

/** A path: the path of its caller, and one more mark. */
struct role_path {
	uint32_t parent; /* ROLE_NONE: none */
	const struct language_role *mark;
};

struct role_process {
	uint32_t pid, parent_pid;
	uint32_t name; /* a string */
	uint32_t said; /* as well: named_thread.said_role */
	uint32_t path; /* ROLE_NONE: none yet */
	uint32_t root; /* the outermost function of its first thread; ROLE_NONE: none yet */
	const struct language_role *child; /* that gave it its role; NULL: none */
	struct named_role role;
};

struct role_work {
	struct named_profile *profile;
	const struct language_role **marks; /* of each function; NULL: none */
	uint32_t *node_paths, *node_roots;  /* of each stack */
	struct hot_key_table path_index, process_index, word_index;
	struct role_path *paths;
	struct role_process *processes;
	uint32_t *word_counts; /* of each role: how many processes have it */
	size_t num_paths, cap_paths, num_processes, cap_processes;
};

static void role_work_deinit(struct role_work *work)
{
	hot_key_table_deinit(&work->path_index);
	hot_key_table_deinit(&work->process_index);
	hot_key_table_deinit(&work->word_index);
	free(work->marks);
	free(work->node_paths);
	free(work->node_roots);
	free(work->paths);
	free(work->processes);
	free(work->word_counts);
}

/** Is it the file, or the end of its path behind a separator? */
static bool is_file(const char *path, const char *wanted)
{
	size_t length = strlen(path), wanted_length = strlen(wanted);
	if (length < wanted_length)
		return false;
	const char *end = path + length - wanted_length;
	for (size_t i = 0; i < wanted_length; i++)
		if (end[i] != wanted[i] && !(end[i] == '\\' && wanted[i] == '/'))
			return false;
	return end == path || end[-1] == '/' || end[-1] == '\\';
}

/** Names have their class since CPython 3.11: "Arbiter.run". */
static bool is_function(const char *name, const char *wanted)
{
	const char *dot = strrchr(name, '.');
	return strcmp(dot ? dot + 1 : name, wanted) == 0;
}

static const struct language_role *find_mark(const struct named_profile *profile,
					     const struct named_function *function)
{
	const struct language_role *roles = profile->language->roles;
	const char *name = named_profile_text(profile, function->name);
	if (function->kind != FRAME_INTERPRETED)
		return NULL;
	for (; roles && roles->file; roles++)
		if (is_function(name, roles->function) &&
		    is_file(named_profile_text(profile, function->file), roles->file))
			return roles;
	return NULL;
}

static struct error *intern_path(struct role_work *work, uint32_t parent,
				 const struct language_role *mark, uint32_t *ret)
{
	const struct hot_key_value key = {{parent, (uint64_t)(uintptr_t)mark}};
	struct error *err = hot_key_table_intern(&work->path_index, key, ret);
	if (err || *ret < work->num_paths)
		return err;
	err = array_reserve(&work->paths, &work->cap_paths, work->num_paths + 1);
	if (!err)
		work->paths[work->num_paths++] = (struct role_path){parent, mark};
	return err;
}

/** @wanted: NULL: anywhere. */
static bool is_inside(const struct role_work *work, uint32_t path,
		      const struct language_role *wanted)
{
	return !wanted || (path < work->num_paths && work->paths[path].mark == wanted);
}

/** A caller's number is lower, so that its path is known by then. */
static struct error *find_paths(struct role_work *work)
{
	const struct named_profile *profile = work->profile;
	struct error *err = NULL;
	for (size_t i = 0; i < profile->num_functions; i++)
		work->marks[i] = find_mark(profile, &profile->functions[i]);
	for (size_t i = 0; !err && i < profile->stacks.num_nodes; i++) {
		const struct stack_node *node = &profile->stacks.nodes[i];
		uint32_t function = profile->frames[node->frame].function;
		const struct language_role *mark = work->marks[function];
		bool has_caller = node->parent != STACK_NONE;
		work->node_paths[i] = has_caller ? work->node_paths[node->parent] : ROLE_NONE;
		work->node_roots[i] = has_caller ? work->node_roots[node->parent] : ROLE_NONE;
		if (mark && mark->words && is_inside(work, work->node_paths[i], mark->inside))
			err = intern_path(work, work->node_paths[i], mark, &work->node_paths[i]);
		bool is_root = work->node_roots[i] == ROLE_NONE && (!mark || mark->words) &&
			       profile->functions[function].kind == FRAME_INTERPRETED;
		if (is_root)
			work->node_roots[i] = function;
	}
	return err;
}

/** Does the one begin as the other goes on? */
static bool is_begin_of(const struct role_work *work, uint32_t path, uint32_t longer)
{
	// A caller's path has a lower number: it is not below this one.
	while (longer != ROLE_NONE && longer > path)
		longer = work->paths[longer].parent;
	return longer == path;
}

static bool is_module_function(const struct named_profile *profile, uint32_t function)
{
	const char *wanted = profile->language->module_function;
	return wanted &&
	       strcmp(named_profile_text(profile, profile->functions[function].name), wanted) == 0;
}

static struct error *find_process(struct role_work *work, const struct named_thread *thread,
				  struct role_process **ret)
{
	uint32_t place;
	const struct hot_key_value key = {{thread->pid}};
	struct error *err = hot_key_table_intern(&work->process_index, key, &place);
	if (!err && place == work->num_processes) {
		err = array_reserve(&work->processes, &work->cap_processes,
				    work->num_processes + 1);
		if (!err)
			work->processes[work->num_processes++] = (struct role_process){
				.pid = thread->pid,
				.name = thread->process_name,
				.path = ROLE_NONE,
				.root = ROLE_NONE,
			};
	}
	if (err)
		return err;
	*ret = &work->processes[place];
	if (thread->parent_pid)
		(*ret)->parent_pid = thread->parent_pid;
	if (thread->said_role)
		(*ret)->said = thread->said_role;
	return NULL;
}

static struct error *note_sample(struct role_work *work, const struct named_sample *sample)
{
	const struct named_thread *thread = &work->profile->threads[sample->thread];
	struct role_process *process;
	struct error *err = find_process(work, thread, &process);
	if (err)
		return err;
	if (process->name != thread->process_name) {
		process->name = thread->process_name;
		process->path = process->root = ROLE_NONE;
	}
	if (sample->stack == STACK_NONE)
		return NULL;
	uint32_t root = work->node_roots[sample->stack], path = work->node_paths[sample->stack];
	bool is_first_thread = thread->tid == thread->pid;
	if (is_first_thread && root != ROLE_NONE && root != process->root &&
	    is_module_function(work->profile, root)) {
		if (process->root != ROLE_NONE)
			process->path = ROLE_NONE;
		process->root = root;
	}
	if (path != ROLE_NONE && !is_begin_of(work, path, process->path))
		process->path = path;
	return NULL;
}

static const struct language_role *mark_of(const struct role_work *work,
					   const struct role_process *process)
{
	if (process->path != ROLE_NONE)
		return work->paths[process->path].mark;
	// Only what the language has as a role: a recording may say anything.
	const struct language_role *roles = work->profile->language->roles;
	const char *said = named_profile_text(work->profile, process->said);
	for (; process->said && roles && roles->file; roles++)
		if (roles->words && !strcmp(roles->words, said))
			return roles;
	return NULL;
}

/** "python3 shop.py"; a command without a file has its name only. */
static struct error *name_by_program(struct role_work *work, struct role_process *process)
{
	struct named_profile *profile = work->profile;
	uint32_t root = process->root;
	const char *path =
		root == ROLE_NONE ? "" : named_profile_text(profile, profile->functions[root].file);
	process->role.words = process->name;
	if (!*path || *path == '<')
		return NULL;
	_cleanup_(string_builder_deinit) struct string_builder words = STRING_BUILDER_INIT;
	_cleanup_free_ char *text = NULL;
	string_builder_appendf(&words, "%s %s", named_profile_text(profile, process->name),
			       file_name_of(path));
	struct error *err = string_builder_finish(&words, &text);
	return err ? err : named_profile_string(profile, text, &process->role.words);
}

/** Of what has no mark, those that started a process that has one are known by it. */
static struct error *name_parents(struct role_work *work)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < work->num_processes; i++) {
		const struct role_process *child = &work->processes[i];
		const struct language_role *mark = mark_of(work, child);
		if (!mark || !mark->parent || !child->parent_pid)
			continue;
		const struct hot_key_value key = {{child->parent_pid}};
		uint32_t place;
		err = hot_key_table_intern(&work->process_index, key, &place);
		// The number of a parent without samples is beyond all others.
		if (err || place >= work->num_processes)
			continue;
		struct role_process *parent = &work->processes[place];
		if (mark_of(work, parent) || (parent->child && mark < parent->child))
			continue;
		parent->child = mark;
		err = named_profile_string(work->profile, mark->parent, &parent->role.words);
	}
	return err;
}

static struct error *name_processes(struct role_work *work)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < work->num_processes; i++) {
		const struct language_role *mark = mark_of(work, &work->processes[i]);
		err = mark ? named_profile_string(work->profile, mark->words,
						  &work->processes[i].role.words)
			   : name_by_program(work, &work->processes[i]);
	}
	return err ? err : name_parents(work);
}

/** Numbers those of each role, in the order of their first samples. */
static struct error *count_alike(struct role_work *work)
{
	uint32_t *numbers = calloc(work->num_processes + 1, sizeof(*numbers));
	struct error *err = numbers ? NULL : &error_no_memory;
	work->word_counts = numbers;
	for (size_t i = 0; !err && i < work->num_processes; i++) {
		struct named_role *role = &work->processes[i].role;
		uint32_t word;
		err = hot_key_table_intern(&work->word_index, (struct hot_key_value){{role->words}},
					   &word);
		if (!err)
			role->number = ++numbers[word];
	}
	for (size_t i = 0; !err && i < work->num_processes; i++) {
		struct named_role *role = &work->processes[i].role;
		uint32_t word;
		err = hot_key_table_intern(&work->word_index, (struct hot_key_value){{role->words}},
					   &word);
		if (!err)
			role->num_alike = numbers[word];
	}
	return err;
}

/** All threads of a process, under each name that they had. */
static struct error *give_roles(struct role_work *work)
{
	struct named_profile *profile = work->profile;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < profile->num_threads; i++) {
		const struct hot_key_value key = {{profile->threads[i].pid}};
		uint32_t place;
		err = hot_key_table_intern(&work->process_index, key, &place);
		if (!err && place < work->num_processes)
			profile->threads[i].role = work->processes[place].role;
	}
	return err;
}

struct error *process_roles_apply(struct named_profile *profile)
{
	_cleanup_(role_work_deinit) struct role_work work = {
		.profile = profile,
		.marks = calloc(profile->num_functions + 1, sizeof(*work.marks)),
		.node_paths = calloc(profile->stacks.num_nodes + 1, sizeof(*work.node_paths)),
		.node_roots = calloc(profile->stacks.num_nodes + 1, sizeof(*work.node_roots)),
	};
	struct error *err =
		work.marks && work.node_paths && work.node_roots ? NULL : &error_no_memory;
	if (!err)
		err = find_paths(&work);
	for (size_t i = 0; !err && i < profile->num_samples; i++)
		err = note_sample(&work, &profile->samples[i]);
	if (!err)
		err = name_processes(&work);
	if (!err)
		err = count_alike(&work);
	return err ? err : give_roles(&work);
}

void process_role_append_all(const struct named_profile *profile, const struct named_role *role,
			     struct string_builder *text)
{
	string_builder_append(text, named_profile_text(profile, role->words));
	if (role->num_alike > 1)
		string_builder_appendf(text, " (x%" PRIu32 ")", role->num_alike);
}

void process_role_append_one(const struct named_profile *profile, const struct named_role *role,
			     struct string_builder *text)
{
	string_builder_append(text, named_profile_text(profile, role->words));
	if (role->num_alike > 1)
		string_builder_appendf(text, " %" PRIu32, role->number);
}
