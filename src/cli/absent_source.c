// SPDX-License-Identifier: Apache-2.0

#include "cli/absent_source.h"

#include "cli/option/option_session.h"
#include "cli/option/options.h"
#include "source/timer/source_timer.h"

#include <stdio.h>
#include <string.h>

struct error *absent_source_reason(const struct options *options)
{
	bool is_named = options->source && *options->source;
	const struct sample_ops *sample = all_sources[0]->sample;
	return is_named || !sample || !sample->check ? NULL : sample->check();
}

/** The first line; the peer's begin with a word of their own. */
static void absent_source_say(const char *what, const struct error *reason, const char *hint)
{
	static const char own_word[] = "error: ";
	const char *line = reason->message;
	if (strncmp(line, own_word, strlen(own_word)) == 0)
		line += strlen(own_word);
	fprintf(stderr, "note: %ssource '%s' cannot be used here: %.*s\n", what,
		all_sources[0]->traits.name, (int)strcspn(line, "\n"), line);
	if (hint)
		fprintf(stderr, "hint: %s\n", hint);
}

bool absent_source_is_fine(const struct options *options, const struct error *failure,
			   const char *what, const char *hint)
{
	if (options->json || options->compat)
		return false;
	_cleanup_(error_destroyp) struct error *reason = absent_source_reason(options);
	if (!reason || strcmp(reason->message, failure->message) != 0)
		return false;
	if (!options->quiet)
		absent_source_say(what, reason, hint ? hint : reason->hint);
	return true;
}

void absent_source_name_timer(const struct options *options)
{
	if (source_timer_ops.sample->holds_threads() && !options->quiet)
		fprintf(stderr,
			"note: source '%s' cannot sample here; wperf samples threads on a timer "
			"(--source timer)\n",
			all_sources[0]->traits.name);
}

struct error *absent_source_open_timer(const struct options *options, struct session *session)
{
	struct options with_timer = *options;
	with_timer.source = SOURCE_TIMER_NAME;
	return open_catalogue_session(&with_timer, session);
}
