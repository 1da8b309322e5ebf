// SPDX-License-Identifier: Apache-2.0
// One row for each format that other programs read. --format names it, or the end of the file's
// name does (result_file.h). perf-script, autofdo and massif have no such end: they are texts,
// and text files belong to `report`.

#include "report/export_format.h"

#include "base/container/array.h"
#include "base/terminal/terminal.h"
#include "report/result_file.h"
#include "view/export/autofdo.h"
#include "view/export/collapsed.h"
#include "view/export/firefox.h"
#include "view/export/flame_svg.h"
#include "view/export/massif.h"
#include "view/export/perf_script.h"
#include "view/export/pprof.h"
#include "view/export/speedscope.h"
#include "view/layout/safe_text.h"

#include <errno.h>
#include <string.h>

static const struct {
	struct export_format format;
	enum result_format names; // RESULT_ANY: no name asks for it
} formats[] = {
	{{"pprof", pprof_write, false, true, false, NULL}, RESULT_PPROF},
	{{"firefox", firefox_write, true, false, false, NULL}, RESULT_FIREFOX},
	{{"speedscope", speedscope_write, true, false, false, NULL}, RESULT_SPEEDSCOPE},
	{{"collapsed", collapsed_write, false, false, false, NULL}, RESULT_COLLAPSED},
	{{"svg", flame_svg_write, false, false, false, flame_svg_write_diff}, RESULT_SVG},
	{{"perf-script", perf_script_write, true, false, false, NULL}, RESULT_ANY},
	{{"autofdo", autofdo_write, false, false, true, NULL}, RESULT_ANY},
	{{"massif", massif_write, false, false, false, NULL}, RESULT_ANY},
};

const struct export_format *export_format_at(size_t number)
{
	return number < ARRAY_SIZE(formats) ? &formats[number].format : NULL;
}

const struct export_format *export_format_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (strcmp(name, formats[i].format.name) == 0)
			return &formats[i].format;
	return NULL;
}

const struct export_format *export_format_of(const char *path)
{
	enum result_format wanted = result_format_of(path);
	// Without this, a name that says nothing would be that of the first row with RESULT_ANY.
	for (size_t i = 0; wanted != RESULT_ANY && i < ARRAY_SIZE(formats); i++)
		if (formats[i].names == wanted)
			return &formats[i].format;
	return NULL;
}

struct error *export_format_print(const struct export_format *format,
				  const struct named_profile *profile, uint32_t event)
{
	// Bytes of pprof on a terminal would change its settings. A pipe may have them.
	if (format->is_binary && terminal_is_terminal(stdout))
		return error_with_hint(
			error_create(ERROR_USAGE,
				     "%s is binary and cannot be printed to a terminal",
				     format->name),
			"write it to a file with -o FILE");
	struct error *err = format->write(profile, event, stdout, "standard output");
	return err || !fflush(stdout) ? err
				      : error_create_errno(errno, "cannot write standard output");
}

static void export_format_print_event(const struct named_profile *profile, uint32_t event,
				      FILE *notes)
{
	const char *name = named_profile_text(profile, profile->events[event].name);
	fputc('\'', notes);
	safe_text_print(name, strlen(name), notes);
	fputc('\'', notes);
}

void export_format_note_event(const struct export_format *format,
			      const struct named_profile *profile, uint32_t event, FILE *notes)
{
	if (format->write != flame_svg_write || event != NAMED_NONE || profile->num_events < 2)
		return;
	uint32_t drawn = flame_svg_default_event(profile);
	fputs("note: the flame graph is of ", notes);
	export_format_print_event(profile, drawn, notes);
	fputs(" alone\nhint: wperf export --event draws another one: ", notes);
	for (uint32_t i = 0, num = 0; i < profile->num_events; i++) {
		if (i == drawn)
			continue;
		fputs(num++ ? ", " : "", notes);
		export_format_print_event(profile, i, notes);
	}
	fputc('\n', notes);
}

struct error *export_format_write_diff(const struct export_format *format, const char *path,
				       const struct named_profile *profile,
				       const struct flame_svg_diff *diff)
{
	_cleanup_(result_file_deinit) struct result_file file = RESULT_FILE_INIT;
	if (!path)
		return format->write_diff(profile, diff, stdout, "standard output");
	struct error *err = result_file_open(path, &file);
	if (!err)
		err = format->write_diff(profile, diff, file.stream, path);
	return err ? err : result_file_close(&file);
}

struct error *export_format_write(const struct export_format *format, const char *path,
				  const struct named_profile *profile, uint32_t event)
{
	_cleanup_(result_file_deinit) struct result_file file = RESULT_FILE_INIT;
	struct error *err = result_file_open(path, &file);
	if (!err)
		err = format->write(profile, event, file.stream, path);
	return err ? err : result_file_close(&file);
}
