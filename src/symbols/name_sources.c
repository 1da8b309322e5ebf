// SPDX-License-Identifier: Apache-2.0

#include "symbols/name_sources.h"

#include "base/container/array.h"
#include "base/file/file_name.h"
#include "base/text/string_builder.h"
#include "object/line_image/line_image.h"
#include "object/pdb/pdb_object.h"
#include "process/process_users.h"
#include "profile/interpreted/language.h"
#include "symbols/module_file.h"
#include "symbols/vdso.h"

#include <stdlib.h>
#include <string.h>

// A module's source is opened when its first place is looked up (name_sources_open(), by the table
// `openers`). The image of interpreted lines comes from the recording itself; if that was cut, from
// the copy in ~/.debug, which must have the same build id. Files and processes of the machine are
// used only if the recording is of this machine, and files of processes are read with the rights of
// their users. All bytes that processes wrote about their code share one budget.

static struct error *name_sources_add(struct code_map *names, const struct symbolizer_name *name)
{
	struct code_range range = {
		.start = name->address,
		.size = name->size,
		.name = name->name,
		.first_line = (uint32_t)names->num_lines,
	};
	if (name->file) {
		struct error *err =
			array_reserve(&names->lines, &names->cap_lines, names->num_lines + 1);
		if (err)
			return err;
		names->lines[names->num_lines++] = (struct code_line){0, name->file, name->line};
		range.num_lines = 1;
	}
	return code_map_add(names, &range);
}

struct error *name_sources_init(struct name_sources *sources,
				const struct symbolizer_config *config)
{
	*sources = (struct name_sources){.config = *config};
	method_list_init(&sources->methods, config->methods, config->num_methods);
	struct error *err = image_ids_init(&sources->images, config->pdbs, config->num_pdbs);
	if (err)
		return err;
	if (config->line_image_size) {
		sources->line_image = malloc(config->line_image_size);
		if (!sources->line_image)
			return &error_no_memory;
		memcpy(sources->line_image, config->line_image, config->line_image_size);
	}
	for (size_t i = 0; i < config->num_names; i++) {
		err = name_sources_add(&sources->names, &config->names[i]);
		if (err)
			return err;
	}
	return code_map_build(&sources->names);
}

void name_sources_deinit(struct name_sources *sources)
{
	for (size_t i = 0; i < sources->num_processes; i++)
		process_code_deinit(&sources->processes[i]);
	for (size_t i = 0; i < sources->num_jitdumps; i++)
		free(sources->jitdumps[i].path);
	free(sources->processes);
	free(sources->jitdumps);
	free(sources->line_image);
	kernel_symbols_deinit(&sources->kernel);
	code_map_deinit(&sources->names);
	image_ids_deinit(&sources->images);
	method_list_deinit(&sources->methods);
}

struct error *name_sources_note_module(struct name_sources *sources, const struct module *module)
{
	sources->has_kernel_images |= module->kind == MODULE_KERNEL_IMAGE;
	sources->is_of_windows |= module_is_file(module) && file_name_has_drive(module->path);
	if (module->kind != MODULE_FILE || !process_code_is_jitdump(module->path))
		return NULL;
	struct error *err = array_reserve(&sources->jitdumps, &sources->cap_jitdumps,
					  sources->num_jitdumps + 1);
	if (err)
		return err;
	char *path = strdup(module->path);
	if (!path)
		return &error_no_memory;
	sources->jitdumps[sources->num_jitdumps++] = (struct jitdump_path){module->pid, path};
	return NULL;
}

/**
 * An image that was opened, or could not be: only a lack of memory is an error then.
 * @object: ended if it is of another module; @ret is left as it is.
 */
static struct error *take_opened(struct error *err, struct object *object,
				 const struct module *module, struct object **ret)
{
	if (err && err->code == ERROR_NO_MEMORY)
		return err;
	if (err) {
		error_destroy(err);
		return NULL;
	}
	uint8_t build_id[RECORD_BUILD_ID_MAX];
	bool is_it = module->build_id.size &&
		     object_build_id(object, build_id) == module->build_id.size &&
		     !memcmp(build_id, module->build_id.bytes, module->build_id.size);
	if (is_it)
		*ret = object;
	else
		object_destroy(object);
	return NULL;
}

static bool is_line_image(const struct module *module)
{
	size_t length = strlen(module->path), suffix = strlen(LINE_IMAGE_SUFFIX);
	return length >= suffix && strcmp(module->path + length - suffix, LINE_IMAGE_SUFFIX) == 0;
}

/** Of a recording that was cut: what had been put there for other programs meanwhile. */
static struct error *open_published_image(const struct module *module, struct object **ret)
{
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	const char *home = getenv("HOME");
	*ret = NULL;
	if (!home || !module->build_id.size || !is_line_image(module))
		return NULL;
	string_builder_appendf(&path, "%s/.debug/.build-id/", home);
	for (size_t i = 0; i < module->build_id.size; i++)
		string_builder_appendf(&path, i ? "%02x" : "%02x/", module->build_id.bytes[i]);
	string_builder_append(&path, "/elf");
	if (path.failed)
		return &error_no_memory;
	struct object *object = NULL;
	struct error *err = object_open(path.text, "", &object);
	return take_opened(err, object, module, ret);
}

/** @ret: NULL if it is another module, or damaged: then the file may be somewhere. */
/** The file of an image is not missed, but the image in the recording. */
static struct error *explain_line_image(const struct name_sources *sources,
					const struct module *module, struct error *err)
{
	const struct language *language = sources->config.language;
	if (!err || err->code == ERROR_NO_MEMORY || !is_line_image(module))
		return err;
	error_destroy(err);
	return error_with_hint(error_create(ERROR_FAILED, "the recording has no %s lines",
					    language ? language->name : language_unknown.name),
			       "it is truncated, or wperf was killed before it finished");
}

/** The file of a module, or what the recording knows instead of a Windows image: its PDB. */
static struct error *open_module_file(struct name_sources *sources, const struct module *module,
				      struct object **ret)
{
	struct object_pdb image;
	bool is_image = image_ids_find(&sources->images, module, &image);
	const struct module_file_search search = {
		.sysroots = sources->config.sysroots,
		.symbol_path = sources->config.symbol_path,
		.budget = &sources->budget,
		.are_processes_here = sources->config.are_processes_here,
		.users = sources->config.users,
		.image = is_image ? &image : NULL,
	};
	struct error *err = module_file_open(&search, module, ret);
	if (!err || err->code == ERROR_NO_MEMORY || !is_image || !image.name)
		return err;
	error_destroy(err);
	return pdb_object_open(&image, sources->config.symbol_path, ret);
}

static struct error *name_sources_open_file(struct name_sources *sources,
					    struct known_module *known)
{
	const struct module *module = &known->module;
	struct object *image = NULL;
	struct error *err;
	// No object is left if it is another module, or damaged: then the file may be somewhere.
	known->object = NULL;
	if (sources->line_image) {
		err = object_open_memory(sources->line_image, sources->config.line_image_size,
					 module->path, &image);
		err = take_opened(err, image, module, &known->object);
	} else {
		err = open_published_image(module, &known->object);
	}
	if (err || known->object)
		return err;
	return explain_line_image(sources, module,
				  open_module_file(sources, module, &known->object));
}

static struct error *open_vdso(struct name_sources *sources, struct known_module *known)
{
	if (!sources->config.is_this_kernel)
		return error_create(ERROR_FAILED, "it belongs to another kernel");
	return vdso_open(&known->object);
}

/** What is in the kernel of Windows, but in none of its images. */
static struct error *open_kernel(struct name_sources *sources, struct known_module *known)
{
	// In the kernel of Windows, but in none of its images.
	if (sources->has_kernel_images)
		return error_create(ERROR_FAILED, "no kernel image there");
	if (sources->is_of_windows)
		return error_with_hint(
			error_create(ERROR_FAILED,
				     "the recording does not say where kernel images were"),
			"record in a console opened with \"Run as administrator\"");
	if (!sources->config.is_this_kernel)
		return error_with_hint(
			error_create(ERROR_FAILED, "another kernel is running"),
			"read the recording on the machine where it was made, before it reboots");
	if (sources->kernel_was_loaded)
		return NULL;
	sources->kernel_was_loaded = true;
	struct error *err = kernel_symbols_load(&sources->kernel, "/proc/kallsyms");
	if (err)
		kernel_symbols_deinit(&sources->kernel);
	return err;
}

/** Without a drive it is the kernel's own word: who recorded could not say where code is in it. */
static struct error *open_kernel_image(struct name_sources *sources, struct known_module *known)
{
	struct object_pdb image;
	if (file_name_has_drive(known->module.path) ||
	    image_ids_find(&sources->images, &known->module, &image))
		return name_sources_open_file(sources, known);
	return error_create(ERROR_FAILED, "its file could not be read during recording");
}

const struct process_code *name_sources_process(const struct name_sources *sources, uint32_t pid)
{
	for (size_t i = 0; i < sources->num_processes; i++)
		if (sources->processes[i].pid == pid)
			return &sources->processes[i];
	return NULL;
}

/** What a process refused is said of each of its modules. */
static struct error *copy_refusal(const struct process_code *code)
{
	const struct error *refusal = code->refusal;
	if (!refusal)
		return NULL;
	struct error *err = error_create(ERROR_FAILED, "%s", refusal->message);
	return refusal->hint ? error_with_hint(err, "%s", refusal->hint) : err;
}

/** How many bytes of one more process's files may be read: all share 256 MB. */
static struct error *name_sources_open_process(struct name_sources *sources,
					       struct known_module *known)
{
	enum { MAX_BYTES = 1 << 28 }; // of the files of all processes
	uint32_t pid = known->module.pid;
	const struct process_code *code = name_sources_process(sources, pid);
	if (code)
		return copy_refusal(code);
	// The last dump: a process that runs another program maps another one.
	const char *jitdump = NULL;
	for (size_t i = 0; i < sources->num_jitdumps; i++)
		if (sources->jitdumps[i].pid == pid)
			jitdump = sources->jitdumps[i].path;
	const struct process_users *users = sources->config.users;
	struct file_rights rights = {0};
	if (users)
		rights = process_users_find_code(users, pid);
	const struct process_code_place place = {
		.may_be_here = sources->config.are_processes_here,
		.jitdump = jitdump,
		.rights = users ? &rights : NULL,
	};
	struct error *err = array_reserve(&sources->processes, &sources->cap_processes,
					  sources->num_processes + 1);
	size_t room = sources->process_bytes < MAX_BYTES ? MAX_BYTES - sources->process_bytes : 0;
	if (!err)
		err = process_code_load(&sources->processes[sources->num_processes], pid, &place,
					room);
	if (err)
		return err;
	sources->process_bytes += process_code_size(&sources->processes[sources->num_processes]);
	return copy_refusal(&sources->processes[sources->num_processes++]);
}

/** False: its functions would take too much memory, by the size of the file. */
static bool name_sources_take_file(struct name_sources *sources, const struct known_module *known)
{
	uint64_t limit = sources->config.max_file_bytes;
	uint64_t bytes = known->object ? object_file_bytes(known->object) : 0;
	if (!limit || known->is_line_image)
		return true;
	if (bytes > limit - sources->file_bytes)
		return false;
	sources->file_bytes += bytes;
	return true;
}

struct error *name_sources_open(struct name_sources *sources, struct known_module *known)
{
	static struct error *(*const openers[])(struct name_sources *, struct known_module *) = {
		[MODULE_FILE] = name_sources_open_file,
		[MODULE_KERNEL] = open_kernel,
		[MODULE_VDSO] = open_vdso,
		[MODULE_MEMORY] = name_sources_open_process,
		[MODULE_UNMAPPED] = name_sources_open_process,
		[MODULE_KERNEL_IMAGE] = open_kernel_image,
	};
	// A failure is remembered as well: no file is searched for twice.
	if (known->was_opened)
		return NULL;
	struct error *err = openers[known->module.kind](sources, known);
	if (err && err->code == ERROR_NO_MEMORY)
		return err;
	known->was_opened = true;
	known->refusal = err;
	known->is_line_image = known->object && line_image_is(known->object);
	known->is_left_out = !name_sources_take_file(sources, known);
	if (known->module.is_image)
		known->methods = method_list_of_image(&sources->methods, &known->module,
						      &known->num_methods);
	return NULL;
}
