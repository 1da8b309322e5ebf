// SPDX-License-Identifier: Apache-2.0

#include "report/code/source_files.h"

#include "base/container/array.h"
#include "base/file/file_path.h"
#include "base/file/foreign_file.h"
#include "base/text/string_builder.h"

#include <stdlib.h>
#include <string.h>

// A profile names source files, and anybody who can run a program can make it name any file:
// "/etc/shadow" as a source file would end up in root's report. So a file is opened with the rights
// of those users whose programs named it (source_users.h, foreign_file.h), and only regular files
// of limited size are read. Below a --sysroot, which the user chose, the same holds. A file is read
// once and kept, as is the reason why it could not be read.

struct source_file {
	char *path;
	struct file_map map;
	struct text_lines lines;
	struct error *refusal; /* NULL: it was read */
};

static void source_file_destroy(struct source_file *file)
{
	if (!file)
		return;
	text_lines_deinit(&file->lines);
	file_map_close(&file->map);
	error_destroy(file->refusal);
	free(file->path);
	free(file);
}

static void source_file_destroyp(struct source_file **file)
{
	source_file_destroy(*file);
}

void source_files_deinit(struct source_files *files)
{
	for (size_t i = 0; i < files->num_items; i++)
		source_file_destroy(files->items[i]);
	free(files->items);
	source_users_deinit(&files->users);
	*files = (struct source_files){0};
}

struct error *source_files_set_profile(struct source_files *files,
				       const struct named_profile *profile)
{
	source_users_deinit(&files->users);
	files->is_anonymous = profile->is_anonymous;
	return source_users_init(&files->users, profile);
}

/** With the rights of the first of @users who may read it; @users: then this one is
 *  the first of them. */
static struct error *open_first(const struct source_files *files, const char *path,
				struct foreign_file_rules *rules, uint32_t *users,
				struct file_map *ret)
{
	struct error *err = NULL;
	for (; *users; *users &= *users - 1) {
		error_destroy(err);
		// The lowest bit that is set; the loop clears it to come to the next user.
		rules->rights = &files->users.users[__builtin_ctz(*users)];
		err = foreign_file_open(ret, path, rules);
		if (!err)
			break;
	}
	return err;
}

static bool source_files_is_same_text(const struct file_map *a, const struct file_map *b)
{
	return a->size == b->size && (!a->size || !memcmp(a->data, b->data, a->size));
}

/** Programs with other root folders may mean another file by the same name: no text is better than
 *  that of one of them. @users: who may still have another one than @rules. */
static struct error *check_others(const struct source_files *files, const char *path,
				  struct foreign_file_rules rules, uint32_t users,
				  const struct file_map *map)
{
	const struct file_root *root = rules.rights->root;
	for (; users; users &= users - 1) {
		_cleanup_(file_map_close) struct file_map other = FILE_MAP_INIT;
		const struct file_rights *rights = &files->users.users[__builtin_ctz(users)];
		// The same root folder has the same file.
		if (rights->root == root)
			continue;
		rules.rights = rights;
		struct error *err = foreign_file_open(&other, path, &rules);
		if (!err && !source_files_is_same_text(map, &other))
			return error_create(ERROR_FAILED,
					    "'%s' is not the same in all root folders of the "
					    "programs that name it",
					    path);
		if (err && err->code == ERROR_NO_MEMORY)
			return err;
		error_destroy(err);
	}
	return NULL;
}

/** With the rights of any of those whose programs named it. */
static struct error *open_plain(const struct source_files *files, const char *name,
				const char *path, size_t root_length, struct file_map *ret)
{
	struct foreign_file_rules rules = {
		.max_size = FOREIGN_FILE_MAX_TEXT,
		.may_be_remote = root_length != 0,
		.root_length = root_length,
	};
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	uint32_t users = source_users_find(&files->users, name);
	struct error *err = open_first(files, path, &rules, &users, &map);
	if (!err && users)
		err = check_others(files, path, rules, users, &map);
	if (err)
		return err;
	*ret = map;
	map = (struct file_map)FILE_MAP_INIT;
	return NULL;
}

struct error *source_files_open(const struct source_files *files, const char *path,
				struct file_map *ret)
{
	if (files->is_anonymous)
		return error_create(ERROR_FAILED, "--anonymous shows no source text");
	for (const char *next = files->sysroots; next;) {
		const char *root = next;
		size_t length = (size_t)(strchrnul(root, file_path_list_separator) - root);
		next = root[length] ? root + length + 1 : NULL;
		if (!length)
			continue;
		_cleanup_(string_builder_deinit) struct string_builder full = STRING_BUILDER_INIT;
		string_builder_append_n(&full, root, length);
		string_builder_append_char(&full, '/');
		string_builder_append(&full, path);
		if (full.failed)
			return &error_no_memory;
		struct error *err = open_plain(files, path, full.text, length, ret);
		// Another root is tried only if this one has no file of that name.
		if (!err || err->code != ERROR_ABSENT)
			return err;
		error_destroy(err);
	}
	return open_plain(files, path, path, 0, ret);
}

static struct error *source_files_read_file(const struct source_files *files,
					    struct source_file *file)
{
	file->refusal = source_files_open(files, file->path, &file->map);
	if (file->refusal)
		return file->refusal->code == ERROR_NO_MEMORY ? take_ptr(file->refusal) : NULL;
	// A binary, by the same sign as git and grep have it.
	if (file->map.size && memchr(file->map.data, '\0', file->map.size)) {
		file->refusal = error_create(ERROR_FAILED, "'%s' is not a text file", file->path);
		return NULL;
	}
	return text_lines_init(&file->lines, file->map.data, file->map.size);
}

static struct error *source_files_add_file(struct source_files *files, const char *path)
{
	_cleanup_(source_file_destroyp) struct source_file *file = calloc(1, sizeof(*file));
	if (!file || !(file->path = strdup(path)))
		return &error_no_memory;
	struct error *err = source_files_read_file(files, file);
	if (!err)
		err = array_reserve(&files->items, &files->cap_items, files->num_items + 1);
	if (!err)
		files->items[files->num_items++] = take_ptr(file);
	return err;
}

struct error *source_files_get(struct source_files *files, const char *path,
			       struct source_text *ret)
{
	size_t i = 0;
	// A report shows a handful of files: a list is fast enough.
	while (i < files->num_items && strcmp(files->items[i]->path, path) != 0)
		i++;
	struct error *err = i == files->num_items ? source_files_add_file(files, path) : NULL;
	if (err)
		return err;
	const struct source_file *file = files->items[i];
	*ret = (struct source_text){
		.lines = file->refusal ? NULL : &file->lines,
		.refusal = file->refusal ? file->refusal->message : NULL,
	};
	return NULL;
}

struct error *source_files_line(void *files, const char *path, uint32_t line, struct text_line *ret)
{
	struct source_text text = {0};
	struct error *err = *path ? source_files_get(files, path, &text) : NULL;
	*ret = text.lines ? text_lines_get(text.lines, line) : (struct text_line){0};
	return err;
}
