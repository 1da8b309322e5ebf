// SPDX-License-Identifier: Apache-2.0

#include "session/stored_images.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/file/close_fd.h"
#include "object/line_image/line_image.h"
#include "object/object.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The store has links .build-id/12/ab... that lead to folders PATH.python.so/12ab... with a file
// `elf` (session/build_id_cache_linux.c). list_images() goes through the links. A link counts only
// if it has exactly this form and its folder the same build id; read_image() then checks that `elf`
// is a regular file of this user with wperf's mark inside. The images are sorted by time, and
// remove_image() removes those beyond the size.
//
// Other programs write to this folder, too, and it might contain links that someone placed.
// Therefore folders are opened by openat2() with RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS, and files
// are removed by name in an open folder (unlinkat()). Kernels before 5.6 lack openat2(): then
// nothing is removed.

struct stored_image {
	char *link;   /* below the store: ".build-id/12/ab..." */
	char *folder; /* below the store: "home/anna/x.data.python.so/12ab..." */
	uint64_t size;
	struct timespec written;
};

struct image_list {
	int store; /* ~/.debug */
	struct stored_image *items;
	size_t num_items, cap_items;
};

static void image_deinit(struct stored_image *image)
{
	free(image->link);
	free(image->folder);
}

static void list_deinit(struct image_list *list)
{
	for (size_t i = 0; i < list->num_items; i++)
		image_deinit(&list->items[i]);
	free(list->items);
	close_fd(&list->store);
}

static void stored_images_close_folder(DIR **folder)
{
	if (*folder)
		closedir(*folder);
}

/** As Linux 5.6 and later can: nothing outside of the store is opened, whatever is in it. */
static int stored_images_open_below(int store, const char *path)
{
	const struct open_how how = {.flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
				     .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
	return (int)syscall(SYS_openat2, store, path, &how, sizeof(how));
}

static DIR *stored_images_open_list(int store, const char *path)
{
	int fd = openat(store, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	if (!folder && fd >= 0)
		close(fd);
	return folder;
}

static bool stored_images_ends_with(const char *text, size_t length, const char *end)
{
	size_t end_length = strlen(end);
	return length > end_length && !memcmp(text + length - end_length, end, end_length);
}

/** "../../PATH.python.so/ID", with the identity that @link has, is where build_id_cache.h puts it.
 *  @ret: PATH.python.so/ID, NULL if it is something else. */
static const char *stored_images_folder_of(const char *link, const char *target)
{
	static const char prefix[] = "../../", links[] = ".build-id/";
	const char *folder = target + sizeof(prefix) - 1, *slash = strrchr(target, '/');
	if (strncmp(target, prefix, sizeof(prefix) - 1) != 0 || slash < folder ||
	    !stored_images_ends_with(folder, (size_t)(slash - folder), LINE_IMAGE_SUFFIX))
		return NULL;
	const char *first = link + sizeof(links) - 1, *rest = first + strlen("12/");
	bool is_its = !strncmp(slash + 1, first, 2) && !strcmp(slash + 3, rest);
	return is_its ? folder : NULL;
}

/** @folder: open. */
static bool has_mark(int folder)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/self/fd/%d/elf", folder);
	_cleanup_(object_destroyp) struct object *object = NULL;
	error_destroy(object_open(path, "", &object));
	return object && line_image_is(object);
}

/** @ret: size and time of the image in a folder. */
static bool read_image(int store, const char *path, struct stored_image *ret)
{
	_cleanup_(close_fd) int folder = stored_images_open_below(store, path);
	struct stat status;
	if (folder < 0 || fstatat(folder, "elf", &status, AT_SYMLINK_NOFOLLOW) < 0 ||
	    !S_ISREG(status.st_mode) || status.st_uid != geteuid() || !has_mark(folder))
		return false;
	ret->size = (uint64_t)status.st_size;
	ret->written = status.st_mtim;
	return true;
}

static void add_image(struct image_list *list, const char *link)
{
	char target[PATH_MAX];
	ssize_t length = readlinkat(list->store, link, target, sizeof(target) - 1);
	if (length < 0)
		return;
	target[length] = '\0';
	const char *folder = stored_images_folder_of(link, target);
	struct stored_image image = {0};
	if (!folder || !read_image(list->store, folder, &image))
		return;
	struct error *err = array_reserve(&list->items, &list->cap_items, list->num_items + 1);
	image.link = strdup(link);
	image.folder = strdup(folder);
	if (err || !image.link || !image.folder)
		image_deinit(&image);
	else
		list->items[list->num_items++] = image;
	error_destroy(err);
}

/** Those whose identities begin with the same byte. */
static void add_images(struct image_list *list, const char *byte)
{
	char path[PATH_MAX];
	snprintf(path, sizeof(path), ".build-id/%s", byte);
	_cleanup_(stored_images_close_folder) DIR *folder =
		stored_images_open_list(list->store, path);
	for (struct dirent *entry; folder && (entry = readdir(folder));) {
		snprintf(path, sizeof(path), ".build-id/%s/%s", byte, entry->d_name);
		if (entry->d_name[0] != '.')
			add_image(list, path);
	}
}

static void list_images(struct image_list *list)
{
	_cleanup_(stored_images_close_folder) DIR *folder =
		stored_images_open_list(list->store, ".build-id");
	for (struct dirent *entry; folder && (entry = readdir(folder));)
		if (strlen(entry->d_name) == 2 && entry->d_name[0] != '.')
			add_images(list, entry->d_name);
}

static int compare_newest_first(const void *left, const void *right)
{
	const struct timespec *a = &((const struct stored_image *)left)->written;
	const struct timespec *b = &((const struct stored_image *)right)->written;
	if (a->tv_sec != b->tv_sec)
		return a->tv_sec > b->tv_sec ? -1 : 1;
	return a->tv_nsec > b->tv_nsec ? -1 : a->tv_nsec < b->tv_nsec;
}

/** With its folder, and the one of its recording if that is empty then. */
static void remove_image(int store, const struct stored_image *image)
{
	_cleanup_(close_fd) int folder = stored_images_open_below(store, image->folder);
	if (folder < 0 || unlinkat(folder, "elf", 0) < 0)
		return;
	unlinkat(store, image->link, 0);
	unlinkat(store, image->folder, AT_REMOVEDIR);
	*strrchr(image->folder, '/') = '\0';
	unlinkat(store, image->folder, AT_REMOVEDIR);
}

static int open_store(void)
{
	char path[PATH_MAX];
	const char *home = getenv("HOME");
	if (!home || home[0] != '/')
		return -1;
	snprintf(path, sizeof(path), "%s/.debug", home);
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

void stored_images_trim(uint64_t max_size)
{
	_cleanup_(list_deinit) struct image_list list = {.store = open_store()};
	if (list.store < 0)
		return;
	list_images(&list);
	if (list.num_items)
		qsort(list.items, list.num_items, sizeof(*list.items), compare_newest_first);
	uint64_t size = list.num_items ? list.items[0].size : 0;
	for (size_t i = 1; i < list.num_items; i++) {
		size += list.items[i].size;
		if (size > max_size)
			remove_image(list.store, &list.items[i]);
	}
}
