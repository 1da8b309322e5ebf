// SPDX-License-Identifier: Apache-2.0

#include "record/perf_data/feature_reader.h"

#include "base/container/array.h"
#include "base/reader.h"
#include "record/perf_data/perf_abi.h"

#include <stdlib.h>
#include <string.h>

// One function for each feature section of a perf.data file that is more than a string; the formats
// are in tools/perf/Documentation/perf.data-file-format.txt, and the reference is
// tools/perf/util/header.c. A string has its size in front, and perf pads it with NULs. Features
// that are unknown are skipped, as they are independent of each other. Damage costs only its
// feature, since results are set after everything was read. Numbers from 200 are our own
// (perf_abi.h).

typedef struct error *(*read_fn)(struct feature_reader *features, struct reader *bytes,
				 struct event_table *events);

/** @ret: left alone if there is no string; it ends at the first NUL, or with its bytes. */
static struct error *read_string(struct feature_reader *features, struct reader *bytes,
				 const char **ret)
{
	uint32_t size = reader_u32(bytes);
	const char *text = reader_bytes(bytes, size);
	if (!text)
		return NULL;
	char *copy = arena_strndup(&features->arena, text, size);
	if (!copy)
		return &error_no_memory;
	*ret = copy;
	return NULL;
}

// Our own PERF_ABI_FEATURE_LANGUAGE: a string.
static struct error *read_language(struct feature_reader *features, struct reader *bytes,
				   struct event_table *events)
{
	return read_string(features, bytes, &features->info.language);
}

// HEADER_NRCPUS: u32 nr_cpus_available, u32 nr_cpus_online.
static struct error *read_cpus(struct feature_reader *features, struct reader *bytes,
			       struct event_table *events)
{
	uint32_t available = reader_u32(bytes), online = reader_u32(bytes);
	if (bytes->failed)
		return NULL;
	features->info.cpus_available = available;
	features->info.cpus_online = online;
	return NULL;
}

// HEADER_TOTAL_MEM: u64, in kB.
static struct error *read_memory(struct feature_reader *features, struct reader *bytes,
				 struct event_table *events)
{
	features->info.total_memory_kb = reader_u64(bytes);
	return NULL;
}

// HEADER_CMDLINE: u32 nr, then a string for each argument.
static struct error *read_arguments(struct feature_reader *features, struct reader *bytes,
				    struct event_table *events)
{
	uint32_t count = reader_u32(bytes);
	if (count > reader_left(bytes) / sizeof(uint32_t))
		return NULL;
	const char **arguments =
		arena_alloc_array(&features->arena, (size_t)count + 1, sizeof(*arguments));
	if (!arguments)
		return &error_no_memory;
	for (uint32_t i = 0; i < count; i++) {
		struct error *err = read_string(features, bytes, &arguments[i]);
		if (err)
			return err;
	}
	if (!bytes->failed)
		features->info.arguments = arguments;
	return NULL;
}

// HEADER_EVENT_DESC: u32 nr, u32 attr_size; of each event its attribute, u32 nr_ids, its name, and
// u64 ids[nr_ids]. Attributes and ids we have from elsewhere; this gives the names.
static struct error *read_events(struct feature_reader *features, struct reader *bytes,
				 struct event_table *events)
{
	uint32_t count = reader_u32(bytes), attr_size = reader_u32(bytes);
	for (uint32_t i = 0; i < count && i < events->num_events; i++) {
		reader_skip(bytes, attr_size);
		uint64_t num_ids = reader_u32(bytes);
		const char *name = NULL;
		struct error *err = read_string(features, bytes, &name);
		if (!err && name)
			err = event_table_rename(events, i, name);
		if (err)
			return err;
		reader_skip(bytes, num_ids * sizeof(uint64_t));
		if (bytes->failed)
			break;
	}
	return NULL;
}

// HEADER_SAMPLE_TIME: u64 of the first sample, u64 of the last.
static struct error *read_sample_time(struct feature_reader *features, struct reader *bytes,
				      struct event_table *events)
{
	uint64_t first = reader_u64(bytes), last = reader_u64(bytes);
	if (bytes->failed)
		return NULL;
	features->info.first_time_ns = first;
	features->info.last_time_ns = last;
	return NULL;
}

// HEADER_CLOCK_DATA: the same moment by two clocks, so that times can be shown as time of day.
static struct error *read_clock(struct feature_reader *features, struct reader *bytes,
				struct event_table *events)
{
	reader_u32(bytes); // version
	uint32_t clock_id = reader_u32(bytes);
	uint64_t wall_ns = reader_u64(bytes), clock_ns = reader_u64(bytes);
	if (bytes->failed)
		return NULL;
	features->info.clock_id = clock_id;
	features->info.wall_ns = wall_ns;
	features->info.clock_ns = clock_ns;
	return NULL;
}

/** All of it, for who knows what it is. */
static struct error *keep_bytes(struct feature_reader *features, struct reader *bytes,
				const uint8_t **ret, size_t *ret_size)
{
	size_t size = reader_left(bytes);
	uint8_t *copy = arena_alloc(&features->arena, size);
	if (!copy)
		return &error_no_memory;
	memcpy(copy, reader_bytes(bytes, size), size);
	*ret = copy;
	*ret_size = size;
	return NULL;
}

static struct error *read_line_image(struct feature_reader *features, struct reader *bytes,
				     struct event_table *events)
{
	return keep_bytes(features, bytes, &features->info.line_image,
			  &features->info.line_image_size);
}

static struct error *read_names(struct feature_reader *features, struct reader *bytes,
				struct event_table *events)
{
	return keep_bytes(features, bytes, &features->info.names, &features->info.names_size);
}

static struct error *feature_reader_read_memory(struct feature_reader *features,
						struct reader *bytes, struct event_table *events)
{
	return keep_bytes(features, bytes, &features->info.memory, &features->info.memory_size);
}

static struct error *feature_reader_read_run_queue(struct feature_reader *features,
						   struct reader *bytes, struct event_table *events)
{
	return keep_bytes(features, bytes, &features->info.run_queue,
			  &features->info.run_queue_size);
}

// Our own PERF_ABI_FEATURE_USERS: u32 pid, user, group of each process, up to the end.
static struct error *read_users(struct feature_reader *features, struct reader *bytes,
				struct event_table *events)
{
	size_t num = reader_left(bytes) / (3 * sizeof(uint32_t));
	struct perf_data_user *users = arena_alloc_array(&features->arena, num + 1, sizeof(*users));
	if (!users)
		return &error_no_memory;
	for (size_t i = 0; i < num; i++) {
		users[i].pid = reader_u32(bytes);
		users[i].user = reader_u32(bytes);
		users[i].group = reader_u32(bytes);
		users[i].num_groups = 0;
		users[i].is_unseen = false;
		users[i].root = (struct file_root_id){0};
	}
	features->info.users = features->users = users;
	features->info.num_users = num;
	return NULL;
}

static struct error *read_user_rights(struct feature_reader *features, struct reader *bytes,
				      struct perf_data_user *ret)
{
	// u32 number of groups, with a flag in its top bit, u32 groups, u64 mounts, device, inode.
	const uint32_t word = reader_u32(bytes), num = word & ~PERF_ABI_RIGHTS_UNSEEN;
	if (num > reader_left(bytes) / sizeof(uint32_t))
		bytes->failed = true;
	uint32_t *groups = bytes->failed ? NULL
					 : arena_alloc_array(&features->arena, num + (size_t)1,
							     sizeof(*groups));
	if (!groups)
		return bytes->failed ? NULL : &error_no_memory;
	for (uint32_t i = 0; i < num; i++)
		groups[i] = reader_u32(bytes);
	struct file_root_id root = {.mounts = reader_u64(bytes)};
	root.device = reader_u64(bytes);
	root.inode = reader_u64(bytes);
	if (!bytes->failed) {
		ret->groups = groups;
		ret->num_groups = num;
		ret->is_unseen = word & PERF_ABI_RIGHTS_UNSEEN;
		ret->root = root;
	}
	return NULL;
}

/** Features are read in the order of their numbers: the users are there. */
static struct error *read_rights(struct feature_reader *features, struct reader *bytes,
				 struct event_table *events)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && !bytes->failed && i < features->info.num_users; i++)
		err = read_user_rights(features, bytes, &features->users[i]);
	return err;
}

static struct error *read_pdb(struct feature_reader *features, struct reader *bytes,
			      struct perf_data_pdb *ret)
{
	struct perf_data_pdb pdb = {.age = reader_u32(bytes)};
	pdb.image_time = reader_u32(bytes);
	pdb.image_size = reader_u32(bytes);
	uint32_t id_size = reader_u32(bytes);
	const uint8_t *id = reader_bytes(bytes, RECORD_BUILD_ID_MAX);
	if (id && id_size <= RECORD_BUILD_ID_MAX) {
		pdb.build_id.size = (uint8_t)id_size;
		memcpy(pdb.build_id.bytes, id, id_size);
	}
	struct error *err = read_string(features, bytes, &pdb.name);
	if (!err)
		err = read_string(features, bytes, &pdb.path);
	if (err)
		return err;
	pdb.name = pdb.name && *pdb.name ? pdb.name : NULL;
	pdb.path = pdb.path && *pdb.path ? pdb.path : NULL;
	*ret = pdb;
	return NULL;
}

// Our own PERF_ABI_FEATURE_PDBS: see feature_writer.c, up to the end.
static struct error *read_pdbs(struct feature_reader *features, struct reader *bytes,
			       struct event_table *events)
{
	enum { LEAST_SIZE = 4 * 4 + RECORD_BUILD_ID_MAX + 2 * 4 };
	size_t most = reader_left(bytes) / LEAST_SIZE;
	struct perf_data_pdb *pdbs = arena_alloc_array(&features->arena, most + 1, sizeof(*pdbs));
	if (!pdbs)
		return &error_no_memory;
	size_t num = 0;
	while (num < most && reader_left(bytes)) {
		struct error *err = read_pdb(features, bytes, &pdbs[num]);
		if (err)
			return err;
		if (bytes->failed)
			break;
		num++;
	}
	features->info.pdbs = pdbs;
	features->info.num_pdbs = num;
	return NULL;
}

// Our own PERF_ABI_FEATURE_COLLECTION: five u64, see feature_writer.c. Versions to come may have
// more methods, which are not known here, and more numbers behind.
static struct error *read_collection(struct feature_reader *features, struct reader *bytes,
				     struct event_table *events)
{
	uint64_t method = reader_u64(bytes);
	struct collection_facts collection = {.num_samples = reader_u64(bytes)};
	collection.num_without = reader_u64(bytes);
	collection.mean_skew_ns = reader_u64(bytes);
	collection.max_skew_ns = reader_u64(bytes);
	if (bytes->failed || method >= COLLECTION_NUM)
		return NULL;
	collection.method = (enum collection_method)method;
	features->info.collection = collection;
	return NULL;
}

static struct error *read_let_go(struct feature_reader *features, struct reader *bytes,
				 struct event_table *events)
{
	uint64_t number = reader_u64(bytes);
	if (!bytes->failed)
		features->info.num_let_go = number;
	return NULL;
}

struct error *feature_read_build_id(struct feature_reader *features, const uint8_t *bytes,
				    size_t size)
{
	struct perf_abi_header header;
	if (size <= PERF_ABI_BUILD_ID_FIXED)
		return NULL;
	memcpy(&header, bytes, sizeof(header));
	const uint8_t *id = bytes + PERF_ABI_BUILD_ID_FIXED - PERF_ABI_BUILD_ID_SIZE;
	// Newer files have the size of the build id in the byte behind its 20; the flag says so.
	// Older ones mean all 20.
	bool says_size = header.misc & PERF_ABI_MISC_BUILD_ID_SIZE;
	struct perf_data_build_id file = {
		.build_id.size = says_size ? id[RECORD_BUILD_ID_MAX] : RECORD_BUILD_ID_MAX,
		.is_kernel = (header.misc & PERF_ABI_MISC_MODE) == RECORD_MODE_KERNEL,
	};
	if (file.build_id.size > RECORD_BUILD_ID_MAX)
		return NULL;
	memcpy(file.build_id.bytes, id, file.build_id.size);
	file.path = arena_strndup(&features->arena, (const char *)bytes + PERF_ABI_BUILD_ID_FIXED,
				  size - PERF_ABI_BUILD_ID_FIXED);
	if (!file.path)
		return &error_no_memory;
	struct perf_data_info *info = &features->info;
	struct error *err = array_reserve(&features->build_ids, &features->cap_build_ids,
					  info->num_build_ids + 1);
	if (err)
		return err;
	features->build_ids[info->num_build_ids++] = file;
	info->build_ids = features->build_ids;
	return NULL;
}

// HEADER_BUILD_ID: records as PERF_RECORD_HEADER_BUILD_ID in pipes, one behind the other.
static struct error *read_build_ids(struct feature_reader *features, struct reader *bytes,
				    struct event_table *events)
{
	while (reader_left(bytes) >= PERF_ABI_BUILD_ID_FIXED) {
		struct perf_abi_header header;
		memcpy(&header, bytes->data + bytes->offset, sizeof(header));
		// It would lead back to itself.
		if (header.size < sizeof(header))
			break;
		const uint8_t *file = reader_bytes(bytes, header.size);
		struct error *err =
			file ? feature_read_build_id(features, file, header.size) : NULL;
		if (err)
			return err;
	}
	return NULL;
}

// Where the text of a feature that is one string belongs; else NULL.
static const char **feature_reader_string_of(unsigned feature, struct perf_data_info *info)
{
	switch (feature) {
	case PERF_ABI_FEATURE_HOST:
		return &info->host;
	case PERF_ABI_FEATURE_RELEASE:
		return &info->system_release;
	case PERF_ABI_FEATURE_VERSION:
		return &info->version;
	case PERF_ABI_FEATURE_MACHINE:
		return &info->machine;
	case PERF_ABI_FEATURE_CPU_DESCRIPTION:
		return &info->cpu_description;
	case PERF_ABI_FEATURE_CPU_ID:
		return &info->cpu_id;
	default:
		return NULL;
	}
}

struct error *feature_read(struct feature_reader *features, unsigned feature, const uint8_t *bytes,
			   size_t size, struct event_table *events)
{
	static const read_fn readers[] = {
		[PERF_ABI_FEATURE_BUILD_ID] = read_build_ids,
		[PERF_ABI_FEATURE_CPUS] = read_cpus,
		[PERF_ABI_FEATURE_MEMORY] = read_memory,
		[PERF_ABI_FEATURE_ARGUMENTS] = read_arguments,
		[PERF_ABI_FEATURE_EVENTS] = read_events,
		[PERF_ABI_FEATURE_SAMPLE_TIME] = read_sample_time,
		[PERF_ABI_FEATURE_CLOCK] = read_clock,
		[PERF_ABI_FEATURE_LINE_IMAGE] = read_line_image,
		[PERF_ABI_FEATURE_COLLECTION] = read_collection,
		[PERF_ABI_FEATURE_NAMES] = read_names,
		[PERF_ABI_FEATURE_USERS] = read_users,
		[PERF_ABI_FEATURE_RIGHTS] = read_rights,
		[PERF_ABI_FEATURE_LANGUAGE] = read_language,
		[PERF_ABI_FEATURE_PDBS] = read_pdbs,
		[PERF_ABI_FEATURE_IN_USE] = feature_reader_read_memory,
		[PERF_ABI_FEATURE_LET_GO] = read_let_go,
		[PERF_ABI_FEATURE_RUN_QUEUE] = feature_reader_read_run_queue,
	};
	struct reader reader = reader_create(bytes, size);
	const char **string = feature_reader_string_of(feature, &features->info);
	if (string)
		return read_string(features, &reader, string);
	if (feature >= ARRAY_SIZE(readers) || !readers[feature])
		return NULL;
	return readers[feature](features, &reader, events);
}

void feature_reader_deinit(struct feature_reader *features)
{
	arena_deinit(&features->arena);
	free(features->build_ids);
	*features = (struct feature_reader)FEATURE_READER_INIT;
}
