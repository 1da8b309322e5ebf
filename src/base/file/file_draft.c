// SPDX-License-Identifier: Apache-2.0

#include "base/file/file_draft.h"

#include "base/file/file_path.h"
#include "base/os/random_bytes.h"
#include "base/text/string_builder.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// O_TMPFILE and linkat() where the file system has them (open(2)): an unfinished file has no name,
// and vanishes with its process. Otherwise a temporary name beside the target, with a random number
// that nobody can predict. file_draft_place() gives the name and renames over the target, which is
// atomic. The target's symbolic links are resolved first, so that the link remains and its target
// is replaced.

enum { SUFFIX_LENGTH = 1 + 16 }; // '.' and a random number

/** NULL if there is no memory or no random number. */
static char *draft_name(const char *path)
{
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	uint64_t number = 0;
	struct error *err = random_bytes_fill(&number, sizeof(number));
	string_builder_appendf(&name, "%s.%016llx", path, (unsigned long long)number);
	char *ret = NULL;
	if (!err)
		err = string_builder_finish(&name, &ret);
	error_destroy(err);
	return ret;
}

/** The whole path of a file that is not there; NULL if its folder is not, either. */
static char *whole_of_absent(const char *path)
{
	const char *slash = strrchr(path, '/');
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	string_builder_append_n(&name, path, slash ? (size_t)(slash - path + 1) : 0);
	_cleanup_free_ char *folder = file_path_whole(slash ? string_builder_peek(&name) : ".");
	string_builder_clear(&name);
	// "/" ends with a slash, other folders do not.
	bool is_root = folder && strcmp(folder, "/") == 0;
	string_builder_appendf(&name, "%s/%s", folder && !is_root ? folder : "",
			       slash ? slash + 1 : path);
	char *ret = NULL;
	struct error *err = folder ? string_builder_finish(&name, &ret) : NULL;
	error_destroy(err);
	return ret;
}

/** False: the folder may take no new file although the file itself may be written. */
static bool file_draft_open_draft(struct file_draft *draft, const char *path)
{
	_cleanup_free_ char *target =
		file_path_kind(path) == FILE_PATH_FILE ? file_path_whole(path) : strdup(path);
	draft->draft = target ? draft_name(target) : NULL;
	if (!draft->draft)
		return false;
	draft->stream = file_path_create_nameless(draft->draft);
	draft->is_nameless = draft->stream != NULL;
	if (!draft->stream)
		draft->stream = file_path_create(draft->draft);
	if (!draft->stream) {
		free(take_ptr(draft->draft));
		return false;
	}
	// What is not there yet has a whole path only by way of its draft, or of its folder.
	char *whole = draft->is_nameless ? whole_of_absent(target) : file_path_whole(draft->draft);
	if (whole && !draft->is_nameless)
		whole[strlen(whole) - SUFFIX_LENGTH] = '\0';
	draft->path = whole ? whole : take_ptr(target);
	return true;
}

bool file_draft_open(struct file_draft *draft, const char *path)
{
	*draft = (struct file_draft)FILE_DRAFT_INIT;
	if (file_path_kind(path) != FILE_PATH_OTHER && file_draft_open_draft(draft, path))
		return true;
	// Without a draft, in place: a pipe, a device, or a folder that takes no new file.
	draft->stream = file_path_open(path, "w");
	if (!draft->stream)
		return false;
	char *whole = file_path_whole(path);
	draft->path = whole ? whole : strdup(path);
	if (draft->path)
		return true;
	fclose(take_ptr(draft->stream));
	errno = ENOMEM;
	return false;
}

/** False, with errno: it still has none. */
static bool give_name(struct file_draft *draft)
{
	if (draft->is_nameless && !file_path_give_name(draft->stream, draft->draft))
		return false;
	draft->is_nameless = false;
	return true;
}

bool file_draft_place(struct file_draft *draft)
{
	if (!draft->draft)
		return true;
	// In this order, so that there is a complete file by the name of @path at any time but
	// between the two renames of @keeps_old.
	if (!give_name(draft))
		return false;
	if (draft->keeps_old) {
		_cleanup_(string_builder_deinit) struct string_builder old = STRING_BUILDER_INIT;
		string_builder_appendf(&old, "%s.old", draft->path);
		if (old.failed) {
			errno = ENOMEM;
			return false;
		}
		if (!file_path_rename(draft->path, old.text) && errno != ENOENT)
			return false;
	}
	if (!file_path_rename(draft->draft, draft->path))
		return false;
	free(take_ptr(draft->draft));
	return true;
}

/** The draft is complete and keeps its name. */
static struct error *not_placed(struct file_draft *draft, const char *name, int errnum)
{
	_cleanup_free_ char *kept = take_ptr(draft->draft);
	// EBUSY comes from Windows, where a file that is open cannot be replaced.
	const char *reason = errnum == EBUSY ? "it is in use" : strerror(errnum);
	struct error *err =
		draft->keeps_old && file_path_kind(draft->path) != FILE_PATH_ABSENT
			? error_create(ERROR_FAILED, "cannot rename '%s' to '%s.old': %s", name,
				       name, errnum == EBUSY ? "one of them is in use" : reason)
			: error_create(ERROR_FAILED, "cannot replace '%s': %s", name, reason);
	return error_with_hint(err,
			       "nothing is lost: the new file is '%s'; close programs that have "
			       "'%s' open, then rename it",
			       kept, name);
}

struct error *file_draft_close(struct file_draft *draft, const char *name)
{
	errno = 0;
	// Errors of writing may appear as late as here: the last bytes leave the buffer with
	// fflush(), and file systems of a network report a full disk in fclose().
	bool had_failed = ferror(draft->stream) || fflush(draft->stream) || !give_name(draft);
	bool is_closed = fclose(take_ptr(draft->stream)) == 0;
	if (had_failed || !is_closed)
		return error_create_errno(errno ? errno : EIO, "cannot write '%s'", name);
	return file_draft_place(draft) ? NULL : not_placed(draft, name, errno);
}

void file_draft_deinit(struct file_draft *draft)
{
	// Called on the way out of a failure whose errno the caller will report.
	int kept_errno = errno;
	if (draft->stream)
		fclose(draft->stream);
	if (draft->draft && !draft->is_nameless)
		file_path_remove(draft->draft);
	free(draft->draft);
	free(draft->path);
	*draft = (struct file_draft)FILE_DRAFT_INIT;
	errno = kept_errno;
}
