/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_SOURCE_ETW_PLACE_H
#define WPERF_TESTS_UNIT_SOURCE_ETW_PLACE_H

/** A folder of its own for a test of etw/: for journals, and for the file of a session. */

#include <assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct etw_place {
	char folder[64], trace[96], journals[96];
};

static inline void etw_place_init(struct etw_place *place)
{
	strcpy(place->folder, "/tmp/wperf_etw_XXXXXX");
	assert(mkdtemp(place->folder));
	setenv("XDG_CACHE_HOME", place->folder, 1);
	snprintf(place->trace, sizeof(place->trace), "%s/wperf-1.etl", place->folder);
	snprintf(place->journals, sizeof(place->journals), "%s/wperf/etw", place->folder);
}

/** The only journal; freed by the caller. NULL: there is none. */
static inline char *etw_place_journal(const struct etw_place *place)
{
	DIR *folder = opendir(place->journals);
	char *path = NULL;
	for (const struct dirent *entry; folder && (entry = readdir(folder));)
		if (entry->d_name[0] != '.' && !path)
			assert(asprintf(&path, "%s/%s", place->journals, entry->d_name) > 0);
	if (folder)
		closedir(folder);
	return path;
}

static inline void etw_place_deinit(struct etw_place *place)
{
	char *path;
	while ((path = etw_place_journal(place))) {
		unlink(path);
		free(path);
	}
	unlink(place->trace);
	rmdir(place->journals);
	*strrchr(place->journals, '/') = '\0';
	rmdir(place->journals);
	rmdir(place->folder);
	unsetenv("XDG_CACHE_HOME");
}

#endif
