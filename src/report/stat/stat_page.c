// SPDX-License-Identifier: Apache-2.0

#include "report/stat/stat_page.h"

#include "base/file/file_path.h"
#include "base/os/host.h"
#include "base/text/string_builder.h"
#include "report/result_file.h"

#include <errno.h>
#include <stdio.h>

struct error *stat_page_open(struct stat_page *page, const struct stat_page_request *request)
{
	const char *path = request->path;
	*page = (struct stat_page){.request = request};
	if (!path)
		return NULL;
	// Written in place, so a recording of that name must be refused here.
	struct error *err = result_file_check(path);
	if (err)
		return err;
	page->html = (struct timeline_html){.stream = file_path_open(path, "w"), .name = path};
	if (!page->html.stream)
		return error_create_errno(errno, "Unable to open %s", path);
	return timeline_html_open(&page->html);
}

/** The words of the user: how the program file of wperf was found says nothing of the run. */
static struct error *stat_page_join_words(char *const *arguments, char **ret)
{
	_cleanup_(string_builder_deinit) struct string_builder words = STRING_BUILDER_INIT;
	string_builder_append(&words, "wperf");
	for (size_t i = 1; arguments[0] && arguments[i]; i++)
		string_builder_appendf(&words, " %s", arguments[i]);
	return string_builder_finish(&words, ret);
}

/** Only the first count tells which classes have rows. */
static struct error *stat_page_begin(struct stat_page *page, const struct stat_tables *tables)
{
	const struct stat_page_request *request = page->request;
	const struct session *session = tables->session;
	const struct source_info *source = &session->info;
	// This machine is not the one of counts that were simulated.
	bool is_simulated = session->source->ops->traits.is_simulated;
	struct host host = host_read();
	_cleanup_free_ char *command = NULL;
	if (request->arguments) {
		struct error *err = stat_page_join_words(request->arguments, &command);
		if (err)
			return err;
	}
	const struct timeline_run run = {
		.command = command,
		.program = request->program,
		.host = is_simulated ? NULL : host.name,
		.system = is_simulated || source->machine ? source->description : host.release,
		.machine = is_simulated || source->machine ? source->machine : host.machine,
		.count_interval_s = (double)request->interval_ns / 1e9,
		.topdown = catalog_topdown(&session->catalog),
	};
	return timeline_html_begin(&page->html, &tables->report, &run);
}

struct error *stat_page_add(struct stat_page *page, const struct stat_tables *tables,
			    const struct counting_result *result)
{
	if (!page->html.stream)
		return NULL;
	if (!page->has_counts) {
		struct error *err = stat_page_begin(page, tables);
		if (err)
			return err;
		page->has_counts = true;
		page->first_ns = result->began_ns;
	}
	const struct timeline_period period = {
		.time_ns = result->started_ns,
		.start_ns = result->began_ns - page->first_ns,
		.length_ns = result->elapsed_ns,
	};
	return timeline_html_add(&page->html, &tables->report, &period);
}

struct error *stat_page_close(struct stat_page *page)
{
	return page->html.stream ? timeline_html_end(&page->html) : NULL;
}

void stat_page_deinit(struct stat_page *page)
{
	if (page->html.stream)
		fclose(page->html.stream);
	*page = (struct stat_page)STAT_PAGE_INIT;
}
