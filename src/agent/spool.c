// SPDX-License-Identifier: Apache-2.0
// The files are the truth; what is kept in memory is what a scan of the folder would find.
//
// A request is written by a temporary name, synced, renamed, and then the folder is synced. What is
// lost gets a marker first, an empty file that says how many batches: only then is the request
// removed, or moved into refused/. A request that is sealed counts the markers there are. Before,
// each of them is renamed so that it names that request (SEQUENCE-BATCHES.dropped-COUNTED_IN), and
// once the request is in its place they are removed. So after a crash at any point:
//
//	marker and its own request      the request was being removed: that is completed
//	marker names a request          counted there, if that is in the folder; else it counts
//	marker alone                    it counts
//
// A request cannot have been sent while markers name it, as one thread does all of this.

#include "agent/spool.h"

#include "agent/spool_folder.h"
#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/file/file_path.h"
#include "base/file/folder.h"
#include "base/os/random_bytes.h"
#include "base/text/string_builder.h"
#include "fleet/gzip_reader.h"
#include "fleet/otlp/otlp_decoder.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUEST_FORMAT "%012" PRIu64 "-%u.otlp.gz"
#define MARKER_FORMAT  "%012" PRIu64 "-%u.dropped"
#define COUNTED_FORMAT MARKER_FORMAT "-%012" PRIu64
#define SENT_FORMAT    "%012" PRIu64 ".sent"

enum { NAME_SIZE = 96 };

struct spool_request {
	uint64_t sequence, size;
	uint32_t num_batches; /* as in its name */
};

struct spool_marker {
	uint64_t sequence;
	uint32_t num_batches;
	uint64_t counted_in; /* as in its name; 0: none */
};

struct spool {
	char *folder;
	struct spool_folder_lock *lock;
	char agent_id[SPOOL_AGENT_ID_SIZE];
	uint64_t max_bytes, next_sequence;
	uint64_t last_sent;             /* as the file says; 0: there is none */
	struct spool_request *requests; /* by sequence */
	size_t num_requests, cap_requests;
	struct spool_marker *markers;
	size_t num_markers, cap_markers;
	uint64_t num_unmarked; /* dropped batches for which no marker could be made */
	bool is_sending;       /* the first request */
	struct spool_totals totals;
};

void spool_close(struct spool *spool)
{
	if (!spool)
		return;
	spool_folder_unlock(spool->lock);
	free(spool->requests);
	free(spool->markers);
	free(spool->folder);
	free(spool);
}

const char *spool_folder(const struct spool *spool)
{
	return spool->folder;
}

const char *spool_agent_id(const struct spool *spool)
{
	return spool->agent_id;
}

uint64_t spool_next_sequence(const struct spool *spool)
{
	return spool->next_sequence;
}

uint64_t spool_num_dropped(const struct spool *spool)
{
	uint64_t sum = spool->num_unmarked;
	for (size_t i = 0; i < spool->num_markers; i++)
		sum += spool->markers[i].num_batches;
	return sum;
}

struct spool_totals spool_totals(const struct spool *spool)
{
	struct spool_totals totals = spool->totals;
	totals.num_waiting = spool->num_requests;
	for (size_t i = 0; i < spool->num_requests; i++)
		totals.num_bytes += spool->requests[i].size;
	return totals;
}

struct spool_name {
	char text[NAME_SIZE];
};

static struct spool_name spool_request_name(const struct spool_request *request)
{
	struct spool_name name;
	snprintf(name.text, sizeof(name.text), REQUEST_FORMAT, request->sequence,
		 request->num_batches);
	return name;
}

static struct spool_name spool_marker_name(const struct spool_marker *marker)
{
	struct spool_name name;
	if (marker->counted_in)
		snprintf(name.text, sizeof(name.text), COUNTED_FORMAT, marker->sequence,
			 marker->num_batches, marker->counted_in);
	else
		snprintf(name.text, sizeof(name.text), MARKER_FORMAT, marker->sequence,
			 marker->num_batches);
	return name;
}

/** NULL without memory. */
static char *spool_path(const struct spool *spool, const char *name)
{
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	char *ret = NULL;
	string_builder_appendf(&path, "%s/%s", spool->folder, name);
	error_destroy(string_builder_finish(&path, &ret));
	return ret;
}

/** False, with errno. */
static bool spool_rename(const struct spool *spool, const char *from, const char *to)
{
	_cleanup_free_ char *from_path = spool_path(spool, from), *to_path = spool_path(spool, to);
	errno = ENOMEM;
	return from_path && to_path && file_path_rename(from_path, to_path);
}

static void spool_remove(const struct spool *spool, const char *name)
{
	_cleanup_free_ char *path = spool_path(spool, name);
	if (path)
		file_path_remove(path);
}

/** Its name says all. False, with errno. */
static bool spool_write_marker(const struct spool *spool, const struct spool_marker *marker)
{
	_cleanup_free_ char *path = spool_path(spool, spool_marker_name(marker).text);
	FILE *file = path ? file_path_open(path, "w") : NULL;
	return file && !fclose(file) && spool_folder_sync(spool->folder);
}

/** So that sequences go on although nothing with a sequence is left. */
static void spool_remember_sent(struct spool *spool, uint64_t sequence)
{
	char old[NAME_SIZE], name[NAME_SIZE];
	snprintf(old, sizeof(old), SENT_FORMAT, spool->last_sent);
	snprintf(name, sizeof(name), SENT_FORMAT, sequence);
	_cleanup_free_ char *path = spool_path(spool, name);
	FILE *file = path ? file_path_open(path, "w") : NULL;
	if (!file || fclose(file))
		return;
	if (spool->last_sent)
		spool_remove(spool, old);
	spool->last_sent = sequence;
}

/** A batch whose marker cannot be made is counted as long as this process runs. */
static void spool_count_dropped(struct spool *spool, uint64_t sequence, uint32_t num_batches)
{
	const struct spool_marker marker = {.sequence = sequence, .num_batches = num_batches};
	struct error *err =
		array_reserve(&spool->markers, &spool->cap_markers, spool->num_markers + 1);
	if (err || !spool_write_marker(spool, &marker))
		spool->num_unmarked += num_batches;
	else
		spool->markers[spool->num_markers++] = marker;
	error_destroy(err);
}

static void spool_forget(struct spool *spool, size_t index)
{
	memmove(&spool->requests[index], &spool->requests[index + 1],
		(spool->num_requests - index - 1) * sizeof(*spool->requests));
	spool->num_requests--;
}

static void spool_drop(struct spool *spool, size_t index)
{
	const struct spool_request request = spool->requests[index];
	spool_count_dropped(spool, request.sequence, request.num_batches);
	spool_remove(spool, spool_request_name(&request).text);
	spool_forget(spool, index);
}

/** The request that is on its way is not dropped: it may have arrived. */
static void spool_keep_limit(struct spool *spool)
{
	size_t first = spool->is_sending ? 1 : 0;
	while (spool->num_requests > first && spool_totals(spool).num_bytes > spool->max_bytes)
		spool_drop(spool, first);
}

static void spool_rename_marker(struct spool *spool, struct spool_marker *marker,
				uint64_t counted_in)
{
	struct spool_marker renamed = *marker;
	renamed.counted_in = counted_in;
	// A failure leaves it as it is: in the worst case it counts twice after a crash.
	if (spool_rename(spool, spool_marker_name(marker).text, spool_marker_name(&renamed).text))
		*marker = renamed;
}

static void spool_remove_markers(struct spool *spool)
{
	for (size_t i = 0; i < spool->num_markers; i++)
		spool_remove(spool, spool_marker_name(&spool->markers[i]).text);
	spool->num_markers = 0;
	spool->num_unmarked = 0;
}

/** A full disk may be noticed as late as in fclose(). */
static struct error *spool_write(const struct spool *spool, const char *path, const void *bytes,
				 size_t size)
{
	FILE *file = file_path_open(path, "w");
	if (!file)
		return error_create_errno(errno, "cannot write '%s'", path);
	bool is_written = fwrite(bytes, 1, size, file) == size && file_path_sync(file);
	int errnum = errno;
	if (fclose(file) && is_written) {
		is_written = false;
		errnum = errno;
	}
	return is_written ? NULL : error_create_errno(errnum, "cannot write '%s'", path);
}

static struct error *spool_place(struct spool *spool, const struct spool_request *request,
				 const void *bytes)
{
	static const char draft_name[] = "request.tmp";
	_cleanup_free_ char *draft = spool_path(spool, draft_name);
	if (!draft)
		return &error_no_memory;
	struct error *err =
		array_reserve(&spool->requests, &spool->cap_requests, spool->num_requests + 1);
	if (!err)
		err = spool_write(spool, draft, bytes, request->size);
	if (!err && (!spool_rename(spool, draft_name, spool_request_name(request).text) ||
		     !spool_folder_sync(spool->folder)))
		err = error_create_errno(errno, "cannot write into '%s'", spool->folder);
	if (err)
		file_path_remove(draft);
	return err;
}

struct error *spool_seal(struct spool *spool, const void *bytes, size_t size, uint32_t num_batches)
{
	struct spool_request request = {
		.sequence = spool->next_sequence++,
		.size = size,
		.num_batches = num_batches + (uint32_t)spool_num_dropped(spool),
	};
	for (size_t i = 0; i < spool->num_markers; i++)
		spool_rename_marker(spool, &spool->markers[i], request.sequence);
	struct error *err = spool_place(spool, &request, bytes);
	if (err) {
		spool_count_dropped(spool, request.sequence, num_batches);
		return err;
	}
	spool_remove_markers(spool);
	spool->requests[spool->num_requests++] = request;
	spool_keep_limit(spool);
	return NULL;
}

/** Is it as it was written? A crash of the computer, or a user, may have changed it. */
static struct error *spool_check(const struct spool_request *request, const void *bytes,
				 size_t size)
{
	_cleanup_free_ uint8_t *unpacked = NULL;
	size_t unpacked_size;
	struct error *err =
		gzip_reader_is_gzip(bytes, size)
			? gzip_reader_unpack(bytes, size, OTLP_MAX_BYTES, &unpacked, &unpacked_size)
			: error_create(ERROR_FAILED, "it is not compressed by gzip");
	if (!err || err == &error_no_memory)
		return err;
	struct error *named = error_create(ERROR_FAILED, "damaged file in the spool: '%s': %s",
					   spool_request_name(request).text, err->message);
	error_destroy(err);
	return named;
}

static struct error *spool_read(const struct spool *spool, const struct spool_request *request,
				void **ret_bytes, size_t *ret_size)
{
	_cleanup_free_ char *path = spool_path(spool, spool_request_name(request).text);
	_cleanup_free_ void *bytes = malloc(request->size + 1);
	if (!path || !bytes)
		return &error_no_memory;
	FILE *file = file_path_open_regular(path);
	if (!file)
		return error_create_errno(errno, "cannot read '%s'", path);
	size_t size = fread(bytes, 1, request->size + 1, file);
	fclose(file);
	struct error *err = spool_check(request, bytes, size);
	if (err)
		return err;
	*ret_bytes = take_ptr(bytes);
	*ret_size = size;
	return NULL;
}

struct error *spool_begin_sending(struct spool *spool, void **ret_bytes, size_t *ret_size)
{
	*ret_bytes = NULL;
	if (!spool->num_requests)
		return NULL;
	struct error *err = spool_read(spool, &spool->requests[0], ret_bytes, ret_size);
	spool->is_sending = true;
	if (!err || err == &error_no_memory)
		return err;
	spool_end_sending(spool, SPOOL_REFUSED);
	return err;
}

static bool spool_is_request(const char *name, uint64_t *ret_sequence, uint32_t *ret_num_batches)
{
	struct spool_request request;
	if (sscanf(name, "%" SCNu64 "-%u", &request.sequence, &request.num_batches) != 2 ||
	    strcmp(name, spool_request_name(&request).text) != 0)
		return false;
	*ret_sequence = request.sequence;
	*ret_num_batches = request.num_batches;
	return true;
}

/** The first file of refused/ goes when there are too many. */
static void spool_trim_refused(const struct spool *spool, const char *path)
{
	_cleanup_(folder_closep) struct folder *folder = NULL;
	_cleanup_(error_destroyp) struct error *err = folder_open(path, &folder);
	struct spool_request first = {.sequence = UINT64_MAX};
	size_t count = 0;
	for (const char *name; !err && (name = folder_next(folder));) {
		struct spool_request request = {.size = 0};
		if (!spool_is_request(name, &request.sequence, &request.num_batches))
			continue;
		count++;
		if (request.sequence < first.sequence)
			first = request;
	}
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	string_builder_appendf(&name, "refused/%s", spool_request_name(&first).text);
	if (count >= SPOOL_MAX_REFUSED)
		spool_remove(spool, string_builder_peek(&name));
}

/** Moved away, or at least removed: it must not be sent again. */
static void spool_set_aside(struct spool *spool)
{
	const struct spool_request request = spool->requests[0];
	struct spool_name name = spool_request_name(&request);
	_cleanup_(string_builder_deinit) struct string_builder to = STRING_BUILDER_INIT;
	_cleanup_free_ char *folder = spool_path(spool, "refused"),
			    *inside = spool_path(spool, "refused/x");
	spool_count_dropped(spool, request.sequence, request.num_batches);
	spool->totals.num_refused++;
	string_builder_appendf(&to, "refused/%s", name.text);
	if (inside && folder && file_path_make_folders(inside))
		spool_trim_refused(spool, folder);
	if (!spool_rename(spool, name.text, string_builder_peek(&to)))
		spool_remove(spool, name.text);
	spool_forget(spool, 0);
}

void spool_end_sending(struct spool *spool, enum spool_verdict verdict)
{
	spool->is_sending = false;
	if (verdict == SPOOL_REFUSED) {
		spool_set_aside(spool);
	} else if (verdict == SPOOL_SENT) {
		if (spool->num_requests == 1)
			spool_remember_sent(spool, spool->requests[0].sequence);
		spool_remove(spool, spool_request_name(&spool->requests[0]).text);
		spool_forget(spool, 0);
	}
	spool_keep_limit(spool);
}

static struct error *spool_find_size(const struct spool *spool, struct spool_request *request)
{
	_cleanup_free_ char *path = spool_path(spool, spool_request_name(request).text);
	if (!path)
		return &error_no_memory;
	// Nothing but a regular file is read, whatever somebody has put here.
	FILE *file = file_path_open_regular(path);
	if (!file)
		return NULL;
	long size = fseek(file, 0, SEEK_END) ? 0 : ftell(file);
	fclose(file);
	request->size = size > 0 ? (uint64_t)size : 0;
	return NULL;
}

static struct error *spool_scan_name(struct spool *spool, const char *name)
{
	struct spool_request request = {.size = 0};
	struct spool_marker marker = {.counted_in = 0};
	struct error *err = NULL;
	if (spool_is_request(name, &request.sequence, &request.num_batches)) {
		err = array_reserve(&spool->requests, &spool->cap_requests,
				    spool->num_requests + 1);
		if (!err)
			err = spool_find_size(spool, &request);
		if (!err)
			spool->requests[spool->num_requests++] = request;
		return err;
	}
	if (sscanf(name, "%" SCNu64 "-%u.dropped-%" SCNu64, &marker.sequence, &marker.num_batches,
		   &marker.counted_in) < 2 ||
	    strcmp(name, spool_marker_name(&marker).text) != 0)
		return NULL;
	err = array_reserve(&spool->markers, &spool->cap_markers, spool->num_markers + 1);
	if (!err)
		spool->markers[spool->num_markers++] = marker;
	return err;
}

/** Of several, which a killed agent may leave, the last counts. */
static void spool_scan_sent(struct spool *spool, const char *name)
{
	char whole[NAME_SIZE];
	uint64_t sequence;
	if (sscanf(name, "%" SCNu64, &sequence) != 1)
		return;
	snprintf(whole, sizeof(whole), SENT_FORMAT, sequence);
	if (strcmp(name, whole) == 0 && sequence > spool->last_sent)
		spool->last_sent = sequence;
}

static int spool_compare(const void *left, const void *right)
{
	const struct spool_request *a = left, *b = right;
	return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

/** @ret: its place. */
static bool spool_find(const struct spool *spool, uint64_t sequence, size_t *ret)
{
	for (size_t i = 0; i < spool->num_requests; i++) {
		if (spool->requests[i].sequence != sequence)
			continue;
		*ret = i;
		return true;
	}
	return false;
}

/** Complete what was under way when the agent was killed: see the top of this file. */
static void spool_recover(struct spool *spool)
{
	size_t num_kept = 0, place;
	for (size_t i = 0; i < spool->num_markers; i++) {
		struct spool_marker marker = spool->markers[i];
		if (marker.counted_in && spool_find(spool, marker.counted_in, &place)) {
			spool_remove(spool, spool_marker_name(&marker).text);
			continue;
		}
		if (spool_find(spool, marker.sequence, &place)) {
			spool_remove(spool, spool_request_name(&spool->requests[place]).text);
			spool_forget(spool, place);
		}
		spool->markers[num_kept++] = marker;
	}
	spool->num_markers = num_kept;
}

static struct error *spool_scan(struct spool *spool)
{
	_cleanup_(folder_closep) struct folder *folder = NULL;
	struct error *err = folder_open(spool->folder, &folder);
	for (const char *name; !err && (name = folder_next(folder));) {
		spool_scan_sent(spool, name);
		err = spool_scan_name(spool, name);
	}
	if (err)
		return err;
	if (spool->num_requests)
		qsort(spool->requests, spool->num_requests, sizeof(*spool->requests),
		      spool_compare);
	spool_recover(spool);
	spool->next_sequence = spool->last_sent + 1;
	for (size_t i = 0; i < spool->num_requests; i++)
		if (spool->requests[i].sequence >= spool->next_sequence)
			spool->next_sequence = spool->requests[i].sequence + 1;
	for (size_t i = 0; i < spool->num_markers; i++)
		if (spool->markers[i].sequence >= spool->next_sequence)
			spool->next_sequence = spool->markers[i].sequence + 1;
	spool_keep_limit(spool);
	return NULL;
}

static bool spool_is_id(const char *text)
{
	size_t length = strspn(text, "0123456789abcdef");
	return length == SPOOL_AGENT_ID_SIZE - 1 && !text[length];
}

/** What stands there, or a new one. */
static struct error *spool_read_id(struct spool *spool)
{
	_cleanup_free_ char *path = spool_path(spool, "agent-id");
	if (!path)
		return &error_no_memory;
	FILE *file = file_path_open_regular(path);
	if (file) {
		size_t length = fread(spool->agent_id, 1, sizeof(spool->agent_id) - 1, file);
		spool->agent_id[length] = '\0';
		fclose(file);
	}
	if (spool_is_id(spool->agent_id))
		return NULL;
	uint64_t number;
	struct error *err = random_bytes_fill(&number, sizeof(number));
	if (err)
		return err;
	snprintf(spool->agent_id, sizeof(spool->agent_id), "%016" PRIx64, number);
	return spool_write(spool, path, spool->agent_id, strlen(spool->agent_id));
}

struct error *spool_open(const char *folder, uint64_t max_bytes, struct spool **ret)
{
	_cleanup_(spool_closep) struct spool *spool = calloc(1, sizeof(*spool));
	if (!spool)
		return &error_no_memory;
	spool->max_bytes = max_bytes;
	spool->folder = strdup(folder);
	_cleanup_free_ char *lock = spool->folder ? spool_path(spool, "lock") : NULL;
	if (!lock)
		return &error_no_memory;
	if (!file_path_make_folders(lock))
		return error_with_hint(error_create_errno(errno, "cannot create '%s'", folder),
				       "choose a folder for batches that wait with --spool");
	struct error *err = spool_folder_lock(lock, &spool->lock);
	if (!err)
		err = spool_read_id(spool);
	if (!err)
		err = spool_scan(spool);
	if (err)
		return err;
	*ret = take_ptr(spool);
	return NULL;
}
