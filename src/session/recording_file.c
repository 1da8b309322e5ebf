// SPDX-License-Identifier: Apache-2.0

#include "session/recording_file.h"

#include "base/container/arena.h"
#include "base/container/array.h"
#include "base/file/file_path.h"
#include "base/os/clock.h"
#include "base/os/host.h"
#include "base/os/random_bytes.h"
#include "base/text/string_builder.h"
#include "object/line_image/line_image.h"
#include "object/object.h"
#include "record/perf_data/event_attr.h"
#include "record/perf_data/perf_data_writer.h"
#include "session/build_id_cache.h"
#include "session/stored_images.h"
#include "symbols/module_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Records are written as they come (recording_file_add()); metadata are written at the end by
// recording_file_complete(): build ids of modules that occur in stacks, the host, clocks, users,
// the image of interpreted code, names of code that has no file. For samples with registers and
// stack copies the unwound chain is written instead, as the copies would take about a hundred times
// the room.
//
// The image of interpreted code gets its name and a random build id at the beginning, since its
// mapping has to stand in the file before the samples; its content is complete only at the end. It
// goes into the file and, for other programs, into ~/.debug (build_id_cache.h), now and then also
// while recording, in case wperf is killed. After the program has begun to run, a write error ends
// the file, not the run (recording_file_excuse()).

enum {
	FLUSH_NS = 1000000000, // how much of a recording may be lost to a kill
};

struct recording_file {
	struct perf_data_writer *writer;
	bool makes_chains;
	bool is_excused;       /* that it cannot be written */
	struct error *failure; /* that ended the file: what comes later is left out */
	uint64_t flushed_ns;
	bool has_places;
	char *image_path; /* the name of the image of places in interpreted code */
	struct record_build_id image_id;
	uint32_t published_size; /* of the code in the image that was published last */
	uint64_t publish_after_ns;
};

/** With chains in place of registers and stack copies, samples have other fields than the kernel's
 *  attribute says. The file gets a changed copy, so that readers find what is there. */
static struct error *open_writer(const char *path, const struct perf_data_event *events,
				 size_t num_events, bool makes_chains,
				 struct perf_data_writer **ret)
{
	if (!makes_chains)
		return perf_data_writer_create(path, events, num_events, ret);
	_cleanup_free_ struct perf_data_event *written = calloc(num_events, sizeof(*written));
	if (!written)
		return &error_no_memory;
	for (size_t i = 0; i < num_events; i++) {
		written[i] = events[i];
		event_attr_set_written(written[i].attr, perf_data_writer_type_of(&events[i]));
	}
	return perf_data_writer_create(path, written, num_events, ret);
}

struct error *recording_file_create(const char *path, const struct perf_data_event *events,
				    size_t num_events, bool makes_chains,
				    struct recording_file **ret)
{
	_cleanup_(recording_file_destroyp) struct recording_file *file = calloc(1, sizeof(*file));
	if (!file)
		return &error_no_memory;
	file->makes_chains = makes_chains;
	struct error *err = open_writer(path, events, num_events, makes_chains, &file->writer);
	if (err)
		return err;
	// The image has its name and id before anything is in it, as these stand in the records.
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	string_builder_appendf(&name, "%s" LINE_IMAGE_SUFFIX,
			       perf_data_writer_whole_path(file->writer));
	file->image_id.size = sizeof(file->image_id.bytes);
	err = random_bytes_fill(file->image_id.bytes, sizeof(file->image_id.bytes));
	if (!err)
		err = string_builder_finish(&name, &file->image_path);
	if (err)
		return err;
	*ret = take_ptr(file);
	return NULL;
}

/** Once the program runs, a file that cannot be written ends here; the run goes on. */
static struct error *recording_file_excuse(struct recording_file *file, struct error *err)
{
	if (!err || !file->is_excused || err == &error_no_memory)
		return err;
	file->failure = err;
	return NULL;
}

const struct error *recording_file_failure(const struct recording_file *file)
{
	return file->failure;
}

void recording_file_excuse_errors(struct recording_file *file)
{
	file->is_excused = true;
}

bool recording_file_begin(struct recording_file *file, bool keeps_old)
{
	recording_file_excuse_errors(file);
	return perf_data_writer_place(file->writer, keeps_old);
}

uint64_t recording_file_size(const struct recording_file *file)
{
	return perf_data_writer_size(file->writer);
}

void recording_file_destroy(struct recording_file *file)
{
	if (!file)
		return;
	perf_data_writer_destroy(file->writer);
	error_destroy(file->failure);
	free(file->image_path);
	free(file);
}

/** A chain in perf.data begins with a context, and the innermost address follows. If that is a line
 *  of interpreted code, it also becomes the sample's own address: perf report without callers shows
 *  the line then, not the function of the interpreter that ran it. */
static void set_walked(struct record *walked, struct profile_builder_chain chain)
{
	walked->raw = NULL;
	walked->raw_size = 0;
	walked->sample.chain = chain.words;
	walked->sample.chain_length = chain.length;
	walked->sample.gil = chain.gil;
	if (chain.is_interpreted) {
		walked->mode = RECORD_MODE_USER;
		walked->sample.ip = chain.words[1];
	}
}

const struct record *recording_file_form(bool makes_chains, const struct record *record,
					 struct profile_builder_chain chain, struct record *changed)
{
	if (record->kind != RECORD_SAMPLE || !makes_chains)
		return record;
	*changed = *record;
	set_walked(changed, chain);
	return changed;
}

static struct error *recording_file_insert(struct recording_file *file, const struct record *record,
					   struct profile_builder_chain chain)
{
	if (record->payload)
		// An AUX trace: the bytes of the hardware stand behind its record, as in perf's
		// files.
		return perf_data_writer_trace(file->writer, record->raw, record->raw_size,
					      record->payload, record->payload_size);
	if (record->kind == RECORD_SAMPLE && record->sample.spe)
		return NULL; // it is in a trace
	struct record changed;
	const struct record *form =
		recording_file_form(file->makes_chains, record, chain, &changed);
	if (form->raw)
		return perf_data_writer_raw(file->writer, form->raw, form->raw_size);
	return perf_data_writer_record(file->writer, form);
}

struct error *recording_file_add(struct recording_file *file, const struct record *record,
				 struct profile_builder_chain chain)
{
	return file->failure
		       ? NULL
		       : recording_file_excuse(file, recording_file_insert(file, record, chain));
}

struct error *recording_file_add_bytes(struct recording_file *file, const void *bytes, size_t size)
{
	return file->failure ? NULL
			     : recording_file_excuse(file, perf_data_writer_raw(file->writer, bytes,
										size));
}

uint64_t recording_file_added(const struct recording_file *file)
{
	return perf_data_writer_added(file->writer);
}

/** The mapping has the largest size that the image can get, since it is written when the first line
 *  is known, and lines are added until the end. */
struct error *recording_file_map_places(struct recording_file *file, const struct record *record)
{
	const struct record map = {
		.kind = RECORD_MAP,
		.mode = RECORD_MODE_USER,
		.pid = record->pid,
		.tid = record->pid,
		.time_ns = record->time_ns,
		.cpu = record->cpu,
		.map = {.start = CODE_PLACES_BASE,
			.length = LINE_IMAGE_MAX_SIZE,
			.path = file->image_path,
			.is_executable = true,
			.build_id = file->image_id},
	};
	if (file->failure)
		return NULL;
	file->has_places = true;
	return recording_file_excuse(file, perf_data_writer_record(file->writer, &map));
}

/** The running kernel's own, from its note; absent where /sys hides it. */
static void read_kernel_build_id(struct record_build_id *ret)
{
	uint8_t note[256];
	FILE *file = file_path_open("/sys/kernel/notes", "r");
	size_t size = file ? fread(note, 1, sizeof(note), file) : 0;
	if (file)
		fclose(file);
	// NT_GNU_BUILD_ID (elf(5), "Notes"): n_namesz 4, n_descsz 20, n_type 3, then "GNU".
	static const uint8_t header[] = {4,   0,   0,   0, RECORD_BUILD_ID_MAX, 0, 0, 0, 3, 0, 0, 0,
					 'G', 'N', 'U', 0};
	// There are other notes before it, all of them aligned to 4 bytes.
	for (size_t i = 0; i + sizeof(header) + RECORD_BUILD_ID_MAX <= size; i += 4) {
		if (memcmp(note + i, header, sizeof(header)) != 0)
			continue;
		ret->size = RECORD_BUILD_ID_MAX;
		memcpy(ret->bytes, note + i + sizeof(header), RECORD_BUILD_ID_MAX);
		return;
	}
}

/** What stands in the file of the modules that have samples. */
struct module_ids {
	struct arena names;
	struct perf_data_build_id *build_ids;
	struct perf_data_pdb *pdbs; /* of Windows images */
	size_t num_build_ids, num_pdbs;
};

static void module_ids_deinit(struct module_ids *ids)
{
	free(ids->build_ids);
	free(ids->pdbs);
	arena_deinit(&ids->names);
}

static struct error *module_ids_add_pdb(struct module_ids *ids, const struct module *module,
					const struct object *object)
{
	struct object_pdb found;
	if (!object_find_pdb(object, &found))
		return NULL;
	struct perf_data_pdb pdb = {
		.path = module->path,
		.build_id.size = found.build_id_size,
		.age = found.age,
		.image_time = found.image_time,
		.image_size = found.image_size,
	};
	memcpy(pdb.build_id.bytes, found.build_id, sizeof(pdb.build_id.bytes));
	if (found.name) {
		pdb.name = arena_strdup(&ids->names, found.name);
		if (!pdb.name)
			return &error_no_memory;
	}
	ids->pdbs[ids->num_pdbs++] = pdb;
	return NULL;
}

static struct error *module_ids_add_file(struct module_ids *ids, const struct module *module,
					 const struct process_users *users,
					 struct record_build_id *ret)
{
	*ret = module->build_id;
	if (ret->size)
		return NULL;
	if (module->kind == MODULE_KERNEL) {
		read_kernel_build_id(ret);
		return NULL;
	}
	const struct module_file_search here = {.are_processes_here = true, .users = users};
	_cleanup_(object_destroyp) struct object *object = NULL;
	_cleanup_(error_destroyp) struct error *err = module_file_open(&here, module, &object);
	if (err)
		return NULL;
	ret->size = (uint8_t)object_build_id(object, ret->bytes);
	return module_ids_add_pdb(ids, module, object);
}

static struct error *collect_ids(const struct recording_file *file, struct profile_builder *builder,
				 const struct recording_part *part, struct module_ids *ret)
{
	const struct module_table *modules = part->modules;
	struct error *err = NULL;
	ret->build_ids = calloc(modules->num_items + 2, sizeof(*ret->build_ids));
	ret->pdbs = calloc(modules->num_items + 1, sizeof(*ret->pdbs));
	if (!ret->build_ids || !ret->pdbs)
		return &error_no_memory;
	for (size_t i = 0; !err && i < modules->num_items; i++) {
		const struct module *module = &modules->items[i];
		bool is_file = module_is_file(module);
		if (!part->used[i] || (!is_file && module->kind != MODULE_KERNEL))
			continue;
		struct perf_data_build_id *id = &ret->build_ids[ret->num_build_ids];
		// The name under which perf looks up the build id of the kernel.
		id->path = is_file ? module->path : "[kernel.kallsyms]";
		id->is_kernel = module_is_of_kernel(module);
		err = module_ids_add_file(ret, module, profile_builder_users(builder),
					  &id->build_id);
		ret->num_build_ids += id->build_id.size > 0;
	}
	if (file->has_places)
		ret->build_ids[ret->num_build_ids++] = (struct perf_data_build_id){
			.path = file->image_path, .build_id = file->image_id};
	return err;
}

/** One moment on both clocks: by it readers turn the times of samples into the time of day
 *  (HEADER_CLOCK_DATA of perf.data). */
static void describe_clock(struct perf_data_info *info)
{
	info->clock_id = CLOCK_MONOTONIC;
	info->clock_ns = clock_ns(CLOCK_MONOTONIC);
	info->wall_ns = clock_ns(CLOCK_REALTIME);
}

static void describe_host(const struct host *host, struct perf_data_info *info)
{
	info->host = host->name;
	info->system_release = host->release;
	info->version = "wperf";
	info->cpus_available = host->cpus_available;
	info->cpus_online = host->cpus_online;
	if (*host->cpu_id)
		info->cpu_id = host->cpu_id;
	info->total_memory_kb = host->total_memory_kb;
}

/** @ret_image: NULL if no code was interpreted. */
static struct error *encode_image(const struct recording_file *file,
				  const struct profile_builder *builder, const char *machine,
				  char **ret_image, size_t *ret_size)
{
	if (!file->has_places)
		return NULL;
	const struct code_places *places =
		interpreted_frames_places(profile_builder_interpreted(builder));
	enum object_machine object_machine =
		strcmp(machine, "aarch64") == 0 ? OBJECT_MACHINE_AARCH64 : OBJECT_MACHINE_X86_64;
	const struct language *language = profile_builder_language(builder);
	const struct line_image_language words = {language->dwarf, language->name};
	return line_image_encode(code_places_image(places), &words, object_machine,
				 file->image_id.bytes, ret_image, ret_size);
}

/** Where programs look that do not know of the image in the file. A full disk is no reason to fail:
 *  our own do. */
static void publish_image(const struct recording_file *file, const char *image, size_t size)
{
	const struct build_id_file published = {
		.path = file->image_path,
		.build_id = file->image_id,
		.bytes = image,
		.size = size,
	};
	if (image)
		error_destroy(build_id_cache_add(&published));
}

/** The names that there are so far, for the case that we are killed. */
static struct error *publish_so_far(struct recording_file *file,
				    const struct profile_builder *builder)
{
	// The image grows, and with it the time to write it. A pause of 20 times as long keeps this
	// below 5 % of the run.
	enum { REST = 20 };
	uint64_t began_ns = clock_ns(CLOCK_MONOTONIC);
	if (!file->has_places || began_ns < file->publish_after_ns)
		return NULL;
	uint32_t size =
		code_places_image(interpreted_frames_places(profile_builder_interpreted(builder)))
			->text_size;
	if (size == file->published_size)
		return NULL;
	struct host host = host_read();
	_cleanup_free_ char *image = NULL;
	size_t image_size;
	struct error *err = encode_image(file, builder, host.machine, &image, &image_size);
	if (err)
		return err;
	publish_image(file, image, image_size);
	uint64_t ended_ns = clock_ns(CLOCK_MONOTONIC);
	file->published_size = size;
	file->publish_after_ns = ended_ns + REST * (ended_ns - began_ns);
	return NULL;
}

struct error *recording_file_end_round(struct recording_file *file)
{
	return file->failure ? NULL
			     : recording_file_excuse(file, perf_data_writer_round(file->writer));
}

struct error *recording_file_round(struct recording_file *file,
				   const struct profile_builder *builder)
{
	if (file->failure)
		return NULL;
	struct error *err = perf_data_writer_round(file->writer);
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	if (!err && now_ns - file->flushed_ns >= FLUSH_NS) {
		file->flushed_ns = now_ns;
		err = perf_data_writer_flush(file->writer);
		if (!err)
			err = publish_so_far(file, builder);
	}
	return recording_file_excuse(file, err);
}

static struct perf_data_user describe_user(const struct process_user *user)
{
	const struct file_rights *rights = &user->rights;
	return (struct perf_data_user){
		.pid = user->pid,
		.user = rights->is_known ? rights->user : PERF_DATA_NO_USER,
		.group = rights->group,
		.groups = rights->groups,
		.num_groups = rights->num_groups,
		.is_unseen = user->has_unseen_program,
		.root = rights->root ? rights->root->id : (struct file_root_id){0},
	};
}

/** Valid until the users change. */
static struct error *collect_users(struct profile_builder *builder, struct perf_data_user **ret,
				   size_t *ret_num)
{
	struct process_users *users = profile_builder_users(builder);
	struct error *err = process_users_refresh(users);
	if (err)
		return err;
	struct perf_data_user *found = calloc(users->num_items + 1, sizeof(*found));
	if (!found)
		return &error_no_memory;
	size_t num = 0;
	for (size_t i = 0; i < users->num_items; i++)
		if (users->items[i].rights.is_known || users->items[i].rights.root)
			found[num++] = describe_user(&users->items[i]);
	*ret = found;
	*ret_num = num;
	return NULL;
}

static struct error *recording_file_complete(struct recording_file *file,
					     struct profile_builder *builder,
					     const struct recording_part *part,
					     const struct symbolizer *names, char *const *arguments)
{
	struct host host = host_read();
	_cleanup_(module_ids_deinit) struct module_ids ids = {0};
	_cleanup_free_ char *line_image = NULL;
	_cleanup_free_ struct perf_data_user *users = NULL;
	_cleanup_(string_builder_deinit) struct string_builder encoded = STRING_BUILDER_INIT;
	_cleanup_(string_builder_deinit) struct string_builder memory = STRING_BUILDER_INIT;
	_cleanup_(string_builder_deinit) struct string_builder run_queue = STRING_BUILDER_INIT;
	const struct named_profile *profile = profile_builder_profile(builder);
	struct perf_data_info info = {
		.machine = named_profile_text(profile, profile->machine),
		.arguments = (const char *const *)arguments,
		.first_time_ns = part->first_time_ns,
		.last_time_ns = part->last_time_ns,
		.num_let_go = part->num_let_go,
		.collection = interpreted_frames_facts(profile_builder_interpreted(builder)),
	};
	describe_host(&host, &info);
	describe_clock(&info);
	struct error *err = collect_users(builder, &users, &info.num_users);
	if (!err)
		err = collect_ids(file, builder, part, &ids);
	if (!err)
		err = encode_image(file, builder, info.machine, &line_image, &info.line_image_size);
	if (!err && names)
		err = symbolizer_encode_names(names, false, &encoded);
	if (err)
		return err;
	info.language = file->has_places ? profile_builder_language(builder)->name : NULL;
	info.names = (const uint8_t *)encoded.text;
	info.names_size = encoded.length;
	memory_curve_encode(&profile->memory, &memory);
	run_queue_encode(&profile->run_queue, &run_queue);
	if (memory.failed || run_queue.failed)
		return &error_no_memory;
	info.memory = (const uint8_t *)memory.text;
	info.memory_size = memory.length;
	info.run_queue = (const uint8_t *)run_queue.text;
	info.run_queue_size = run_queue.length;
	info.build_ids = ids.build_ids;
	info.num_build_ids = ids.num_build_ids;
	info.pdbs = ids.pdbs;
	info.num_pdbs = ids.num_pdbs;
	info.users = users;
	info.line_image = (const uint8_t *)line_image;
	publish_image(file, line_image, info.line_image_size);
	if (line_image)
		stored_images_trim(STORED_IMAGES_MAX_SIZE);
	return perf_data_writer_finish(file->writer, &info);
}

struct error *recording_file_finish_part(struct recording_file *file,
					 struct profile_builder *builder,
					 const struct recording_part *part, char *const *arguments)
{
	return file->failure
		       ? NULL
		       : recording_file_excuse(file, recording_file_complete(file, builder, part,
									     NULL, arguments));
}

struct error *recording_file_finish(struct recording_file *file, struct profile_builder *builder,
				    const struct symbolizer *names, char *const *arguments)
{
	if (file->failure)
		return NULL;
	_cleanup_free_ bool *used = NULL;
	struct error *err = profile_builder_used_modules(builder, &used);
	const struct profile_builder_totals totals = profile_builder_totals(builder);
	const struct recording_part whole = {
		.modules = &profile_builder_processes(builder)->modules,
		.used = used,
		.first_time_ns = totals.first_time_ns,
		.last_time_ns = totals.last_time_ns,
	};
	if (!err)
		err = recording_file_complete(file, builder, &whole, names, arguments);
	return recording_file_excuse(file, err);
}
