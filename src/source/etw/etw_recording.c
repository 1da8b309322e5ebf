// SPDX-License-Identifier: Apache-2.0
// A stack of user code comes when its thread returns to user mode, and what explains images and
// threads may stand at the end: if nobody looks at samples before, the file is read when the
// session has ended. One that is followed is read once (etl_follow.h): what comes too late for that
// is counted.

#include "source/etw/etw_recording.h"

#include "base/container/array.h"
#include "base/file/file_path.h"
#include "base/os/environment.h"
#include "base/os/random_bytes.h"

#include <inttypes.h>
#include <stdlib.h>

/** Where files go that nobody keeps. */
static struct error *etw_recording_folder(char **ret)
{
	// Windows' two names, and that of others, which its shells of Unix have.
	static const char *const names[] = {"TEMP", "TMP", "TMPDIR"};
	*ret = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct error *err = environment_copy(names[i], ret);
		if (err || *ret)
			return err;
	}
	*ret = strdup(".");
	return *ret ? NULL : &error_no_memory;
}

/** Nobody can guess the name, and put something there before. */
static struct error *etw_recording_choose_path(struct etw_recording *recording)
{
	uint64_t number[2];
	_cleanup_free_ char *named = NULL;
	struct error *err = random_bytes_fill(number, sizeof(number));
	if (!err)
		err = etw_recording_folder(&named);
	if (err)
		return err;
	// Windows itself opens the file, from a folder of its own.
	_cleanup_free_ char *folder = file_path_whole(named);
	if (!folder)
		return error_with_hint(
			error_create(ERROR_FAILED, "there is no folder '%s'", named),
			"recordings are kept there for a while: set TEMP to another one");
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	string_builder_appendf(&path, "%s/wperf-%016" PRIx64 "%016" PRIx64 ".etl", folder,
			       number[0], number[1]);
	return string_builder_finish(&path, &recording->path);
}

struct error *etw_recording_start(struct etw_recording *recording, const struct etw_calls *calls,
				  const struct etw_session_plan *plan,
				  const struct etl_events *events, bool is_followed)
{
	struct etw_session_plan with_path = *plan;
	*recording = (struct etw_recording){.events = *events, .is_followed = is_followed};
	struct error *err = etw_volumes_read(&recording->volumes);
	if (!err)
		err = etw_recording_choose_path(recording);
	with_path.path = recording->path;
	with_path.is_recording = plan->num_sampled && !is_followed;
	return err ? err : etw_session_start(calls, &with_path, &recording->session);
}

static struct error *etw_recording_open(struct etw_recording *recording)
{
	struct etl_stream *stream;
	// Windows itself wrote it: it is not our user's.
	struct error *err = etl_stream_open(recording->path, false, &stream);
	if (!err)
		err = etl_reader_create(stream, &recording->reader);
	if (!err)
		etl_reader_set_events(recording->reader, &recording->events);
	return err;
}

/** An error of code ERROR_ABSENT: nothing was written yet. */
static struct error *etw_recording_grow(struct etw_recording *recording)
{
	if (recording->follow)
		return etl_follow_grow(recording->follow);
	struct etl_stream *stream;
	struct error *err = etl_stream_open_growing(recording->path, &stream);
	return err ? err : etl_follow_create(stream, &recording->events, &recording->follow);
}

struct error *etw_recording_take(struct etw_recording *recording)
{
	if (!recording->is_followed)
		return NULL;
	struct error *err = etw_session_flush(recording->session);
	if (!err)
		err = etw_recording_grow(recording);
	if (!err || err->code != ERROR_ABSENT)
		return err;
	error_destroy(err);
	return NULL;
}

struct error *etw_recording_stop(struct etw_recording *recording)
{
	if (!recording->session)
		return NULL;
	struct error *err = etw_session_stop(recording->session, &recording->totals);
	if (err || !recording->is_followed)
		return err ? err : etw_recording_open(recording);
	err = etw_recording_grow(recording);
	if (!err)
		etl_follow_end(recording->follow);
	return err;
}

uint64_t etw_recording_num_lost(const struct etw_recording *recording)
{
	uint64_t so_far = recording->follow ? etl_follow_notes(recording->follow).events_lost : 0;
	// Only the end of the session tells all.
	return so_far > recording->totals.events_lost ? so_far : recording->totals.events_lost;
}

struct error *etw_recording_next(struct etw_recording *recording, struct record *ret,
				 bool *ret_more)
{
	struct error *err = NULL;
	*ret_more = false;
	if (recording->follow)
		err = etl_follow_next(recording->follow, ret, ret_more);
	else if (recording->reader)
		err = etl_reader_next(recording->reader, ret, ret_more);
	if (!err && *ret_more && ret->kind == RECORD_MAP)
		ret->map.path =
			etw_volumes_translate(&recording->volumes, ret->map.path, &recording->text);
	return err;
}

void etw_recording_close(struct etw_recording *recording)
{
	// A file that is still open could not be removed.
	etl_follow_destroy(recording->follow);
	etl_reader_destroy(recording->reader);
	etw_session_destroy(recording->session);
	free(recording->path);
	etw_volumes_deinit(&recording->volumes);
	string_builder_deinit(&recording->text);
	*recording = (struct etw_recording)ETW_RECORDING_INIT;
}
