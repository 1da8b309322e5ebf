// SPDX-License-Identifier: Apache-2.0

#include "cli/python_choice.h"

#include "base/file/file_name.h"
#include "base/file/file_path.h"
#include "cli/option/options.h"
#include "process/pid_list.h"
#include "process/thread/running.h"
#include "report/diagnostics.h"
#include "session/setup/absent_source.h"
#include "source/timer/source_timer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/** Also of PyPy: of that there is only a word that its frames are not known. */
static bool is_name_of_python(const char *path)
{
	const char *name = file_name_of(path);
	return strncmp(name, "python", strlen("python")) == 0 ||
	       strncmp(name, "pypy", strlen("pypy")) == 0;
}

static bool is_library_of_python(const char *path)
{
	const char *name = file_name_of(path);
	return strncmp(name, "libpython", strlen("libpython")) == 0 ||
	       strncmp(name, "libpypy", strlen("libpypy")) == 0;
}

/** A script says in its first line what runs it. */
static bool is_script_of_python(const char *path)
{
	char line[256] = "";
	FILE *file = strchr(path, '/') ? file_path_open_regular(path) : NULL;
	if (!file)
		return false;
	bool is_script = fgets(line, sizeof(line), file) && strncmp(line, "#!", 2) == 0;
	fclose(file);
	return is_script && (strstr(line, "python") || strstr(line, "pypy"));
}

/** Programs that run what comes behind their own words, as env does, count as well. */
static bool python_choice_runs(char *const *command)
{
	for (; command && *command; command++)
		if (is_name_of_python(*command) || is_script_of_python(*command))
			return true;
	return false;
}

/** By the modules that it has mapped. */
static bool has_python(uint32_t pid)
{
	_cleanup_(running_destroyp) struct running *running = NULL;
	struct error *err = running_open(&pid, 1, &running);
	bool is_found = false, more = true;
	while (!err && more && !is_found) {
		struct record record;
		err = running_next(running, &record, &more);
		is_found = !err && more && record.kind == RECORD_MAP &&
			   (is_name_of_python(record.map.path) ||
			    is_library_of_python(record.map.path));
	}
	error_destroy(err); // said later
	return is_found;
}

static bool is_about_python(const struct options *options, const uint32_t *pids, size_t num_pids)
{
	bool is_found = python_choice_runs(options->spawn);
	for (size_t i = 0; !is_found && i < num_pids; i++)
		is_found = has_python(pids[i]);
	return is_found;
}

struct error *python_choice_read(const struct options *options, bool *ret_is_said,
				 struct python_choice *ret)
{
	static const struct {
		const char *name;
		bool is_wanted;
		enum python_rule rule;
	} rules[] = {
		{"mixed", true, PYTHON_MIXED},
		{"only", true, PYTHON_ONLY},
		{"native", false, PYTHON_MIXED},
	};
	*ret_is_said = options->python != NULL;
	for (size_t i = 0; options->python && i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (strcmp(rules[i].name, options->python) != 0)
			continue;
		*ret = (struct python_choice){.is_wanted = rules[i].is_wanted,
					      .rule = rules[i].rule};
		return NULL;
	}
	if (!options->python)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE, "unknown value of --python: '%s'",
					    options->python),
			       "--python takes mixed, only or native");
}

/** In @words: why it is not better, which becomes a note with a hint. */
static void python_choice_say(const struct options *options, const char *words,
			      const struct error *reason)
{
	if (options->quiet)
		return;
	fprintf(stderr, "note: %s: ", words);
	diagnostics_print_reason(reason->message, reason->hint);
}

/** Does the timer have all that is asked for? */
static bool has_only_time(const struct options *options)
{
	for (size_t i = 0; i < options->num_counted; i++)
		if (options->counted[i].is_metric ||
		    strcmp(options->counted[i].spec, "cpu-clock") != 0)
			return false;
	return !options->system_wide && !options->cores;
}

/** By their numbers, of those that were given. */
static bool are_python(const struct options *options)
{
	_cleanup_free_ uint32_t *pids = NULL;
	size_t num_pids = 0;
	struct error *err = options->pids ? pid_list_parse(options->pids, &pids, &num_pids) : NULL;
	error_destroy(err); // said later
	const char *name = options->image_name ? options->image_name : options->pe_file;
	return is_about_python(options, pids, num_pids) || (name && is_name_of_python(name));
}

/** Where it sees native code, it is good for any program. */
static bool suits_timer(const struct options *options)
{
	if (source_timer_ops.sample->holds_threads())
		return true;
	bool is_native = options->python && strcmp(options->python, "native") == 0;
	return !is_native && are_python(options);
}

bool python_choice_takes_timer(const struct options *options)
{
	if (!has_only_time(options))
		return false;
	_cleanup_(error_destroyp) struct error *err = absent_source_reason(options->source);
	return err && suits_timer(options);
}

static const char *python_choice_words_of(enum collection_method method)
{
	static const char *const words[] = {
		[COLLECTION_TIMER] = "Python stacks are sampled on a timer: no events, no native "
				     "code; very short calls may be attributed to other lines",
		[COLLECTION_SNAPSHOT] = "Python stacks are read shortly after each sample; very "
					"short calls may be attributed to other lines",
	};
	return words[method];
}

static struct error *python_choice_climb(const struct options *options, struct source *source,
					 const uint32_t *pids, size_t num_pids,
					 struct python_choice *choice)
{
	_cleanup_(error_destroyp) struct error *above = NULL;
	struct error *err =
		python_ladder_climb(source, options->stop, pids, num_pids, &choice->method, &above);
	if (!err && above)
		python_choice_say(options, python_choice_words_of(choice->method), above);
	if (!err && options->stop && !options->quiet)
		fputs("note: wperf stops the thread of each sample while it reads its Python stack "
		      "(--stop)\n",
		      stderr);
	return err;
}

static struct error *nothing_to_stop_for(const struct source *source, bool is_native)
{
	const char *hint = !source_reads_frames(source) ? "this source cannot read Python stacks"
			   : is_native                  ? "leave out --python=native"
				       : "use --python=only if the target runs Python";
	return error_with_hint(error_create(ERROR_USAGE, "--stop needs a Python program"), "%s",
			       hint);
}

static struct error *needs_python(const struct source *source, bool is_native)
{
	return error_with_hint(error_create(ERROR_FAILED,
					    "source '%s' samples only Python programs",
					    source->ops->traits.name),
			       is_native ? "leave out --python=native"
					 : "use --python=only if the target runs Python; --source "
					   "perf samples any program");
}

struct error *python_choice_make(const struct options *options, struct source *source,
				 const uint32_t *pids, size_t num_pids, struct python_choice *ret)
{
	bool is_said;
	*ret = (struct python_choice){.is_wanted = false};
	struct error *err = python_choice_read(options, &is_said, ret);
	if (err)
		return err;
	if (options->only_with_gil && is_said && !ret->is_wanted)
		return error_create(ERROR_USAGE, "--gil and --python native cannot be combined");
	if (options->only_with_gil)
		is_said = ret->is_wanted = true;
	if (!is_said)
		ret->is_wanted = is_about_python(options, pids, num_pids);
	if (options->stop && !ret->is_wanted)
		return nothing_to_stop_for(source, is_said);
	err = ret->is_wanted ? python_choice_climb(options, source, pids, num_pids, ret) : NULL;
	if (source->ops->traits.looks_by_time && !source_holds_threads(source)) {
		ret->rule = PYTHON_ONLY;
		return err || ret->is_wanted ? err : needs_python(source, is_said);
	}
	if (!err || is_said || options->stop || err == &error_no_memory)
		return err;
	ret->is_wanted = false;
	if (source_reads_frames(source))
		python_choice_say(options, "no Python lines", err);
	error_destroy(err);
	return NULL;
}
