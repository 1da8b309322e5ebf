// SPDX-License-Identifier: Apache-2.0

#include "catalog/linux/sysfs_terms.h"

#include "base/file/close_fd.h"
#include "base/text/number.h"
#include "base/text/string_builder.h"
#include "catalog/comma_list.h"
#include "catalog/linux/sysfs_events.h"
#include "catalog/linux/sysfs_folder.h"
#include "catalog/linux/sysfs_pmu.h"
#include "catalog/linux/system_event.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>

// The parser of `pmu/term,term/` for -e. Each term is tried as name=, period= or freq=, as one of
// the PMU's format/ or the whole registers, then as an event that the PMU publishes, whose terms
// are then joined. Words come from the user, and folder names are made of them: only the letters of
// PMU names are accepted, and files are opened below the PMU's open folder.

enum {
	MAX_LISTED = 40, // names in a hint
	MAX_FREQUENCY = 1000000,
};

static const char pmu_letters[] =
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";

/** A word while it is read. */
struct terms {
	struct catalog *catalog;
	char *pmu_name; // in a copy of the word
	char *text;     // between the slashes, likewise
	int fd;         // of the PMU's folder
	int events_fd;
	struct sysfs_pmu pmu;
	uint64_t configs[SYSFS_PMU_NUM_CONFIGS];
	const char *name; // of name=, or NULL
	struct sysfs_rate rate;
	struct sysfs_measure measure; // of the published event
};

static void terms_deinit(struct terms *terms)
{
	free(terms->pmu_name);
	sysfs_pmu_deinit(&terms->pmu);
	close_fd(&terms->events_fd);
	close_fd(&terms->fd);
}

bool sysfs_terms_is(const char *word)
{
	size_t name = strspn(word, pmu_letters);
	const char *end = name && word[name] == '/' ? strchr(word + name + 1, '/') : NULL;
	return *word != '.' && end && !end[1];
}

/** "a, b, c" of the names in a folder. */
static void append_names(int parent, const char *folder, struct string_builder *text)
{
	_cleanup_(sysfs_folder_deinit) struct sysfs_folder names = SYSFS_FOLDER_INIT;
	if (!sysfs_folder_list(&names, parent, folder))
		return;
	for (int i = 0; i < names.num_entries && i < MAX_LISTED; i++) {
		const char *name = names.entries[i]->d_name;
		if (sysfs_is_printable(name, strlen(name)))
			string_builder_appendf(text, "%s%s", text->length ? ", " : "", name);
	}
	if (names.num_entries > MAX_LISTED)
		string_builder_append(text, ", ...");
}

static struct error *unknown_term(const struct terms *terms, const char *term)
{
	_cleanup_(string_builder_deinit) struct string_builder names = STRING_BUILDER_INIT;
	append_names(terms->fd, "format", &names);
	string_builder_appendf(&names, "%sconfig, config1, config2, name, period, freq",
			       names.length ? ", " : "");
	return error_with_hint(error_create(ERROR_USAGE, "PMU '%s' has no term '%.*s'",
					    terms->pmu_name, (int)strcspn(term, "="), term),
			       "its terms: %s; its events: wperf list %s/",
			       string_builder_peek(&names), terms->pmu_name);
}

static struct error *bad_value(const char *term, const char *hint)
{
	return error_with_hint(error_create(ERROR_USAGE, "invalid value of '%s'", term), "%s",
			       hint);
}

static struct error *sysfs_terms_set_rate(struct terms *terms, const char *term, const char *value)
{
	uint64_t number;
	bool is_period = *term == 'p';
	if (number_parse(value, strlen(value), &number) != NUMBER_OK || !number ||
	    number > (is_period ? UINT32_MAX : MAX_FREQUENCY))
		return bad_value(term,
				 is_period ? "a period is a number of events from 1 to 4294967295"
					   : "a frequency is a number of samples per second");
	if (is_period)
		terms->rate.period = number;
	else
		terms->rate.frequency = (uint32_t)number;
	return NULL;
}

/** To those that other terms of the word have set, as perf does. */
static void sysfs_terms_add_bits(struct terms *terms, const uint64_t *configs)
{
	for (size_t i = 0; i < SYSFS_PMU_NUM_CONFIGS; i++)
		terms->configs[i] |= configs[i];
}

/** A term without a value may be an event that the PMU publishes. */
static bool take_event(struct terms *terms, const char *term)
{
	char line[SYSFS_TEXT_MAX + 1];
	uint64_t configs[SYSFS_PMU_NUM_CONFIGS];
	if (strpbrk(term, "=/") || *term == '.' || terms->events_fd < 0 ||
	    !sysfs_read_line(terms->events_fd, term, line) ||
	    !sysfs_pmu_encode(&terms->pmu, line, configs) ||
	    !sysfs_events_read_measure(terms->events_fd, term, &terms->measure))
		return false;
	sysfs_terms_add_bits(terms, configs);
	return true;
}

static struct error *take_term(struct terms *terms, const char *term)
{
	const char *value = strchr(term, '=');
	if (value && strncmp(term, "name=", 5) == 0) {
		if (!value[1] || !sysfs_is_printable(value + 1, strlen(value + 1)))
			return bad_value(term, "a name must be printable text");
		terms->name = arena_strdup(&terms->catalog->arena, value + 1);
		return terms->name ? NULL : &error_no_memory;
	}
	if (value && (!strncmp(term, "period=", 7) || !strncmp(term, "freq=", 5)))
		return sysfs_terms_set_rate(terms, term, value + 1);
	uint64_t configs[SYSFS_PMU_NUM_CONFIGS] = {0};
	switch (sysfs_pmu_set_term(&terms->pmu, term, strlen(term), configs)) {
	case SYSFS_TERM_SET:
		sysfs_terms_add_bits(terms, configs);
		return NULL;
	case SYSFS_TERM_BAD_VALUE:
		return bad_value(term, "use a decimal number, or a hexadecimal one with 0x");
	case SYSFS_TERM_TOO_LARGE:
		return bad_value(
			term,
			"the number has more bits than the term; see the PMU's format folder");
	case SYSFS_TERM_UNKNOWN:
		break;
	}
	return take_event(terms, term) ? NULL : unknown_term(terms, term);
}

static struct error *sysfs_terms_add_event(struct terms *terms, const char *word,
					   const struct event **ret)
{
	struct arena *arena = &terms->catalog->arena;
	struct system_event *event = arena_alloc(arena, sizeof(*event));
	if (!event)
		return &error_no_memory;
	*event = (struct system_event){
		.event =
			{
				.name = terms->name ? terms->name : arena_strdup(arena, word),
				.title = arena_strdup(arena, word),
				.description = "Described by its terms.",
				.event_class = EVENT_PERF,
				.code = terms->configs[0],
			},
		.type = terms->pmu.type,
		.config1 = terms->configs[1],
		.config2 = terms->configs[2],
		.kind = "Raw event",
		.unit = terms->measure.has_unit ? arena_strdup(arena, terms->measure.unit) : NULL,
		.scale = terms->measure.scale,
	};
	if (terms->measure.has_unit && !event->unit)
		return &error_no_memory;
	if (!event->event.name || !event->event.title)
		return &error_no_memory;
	*ret = &event->event;
	return NULL;
}

static struct error *open_pmu(struct terms *terms)
{
	_cleanup_(close_fd) int sysfs =
		open(terms->catalog->sysfs_folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	terms->fd =
		sysfs < 0 ? -1 : openat(sysfs, terms->pmu_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (terms->fd < 0 || !sysfs_read_number(terms->fd, "type", &terms->pmu.type)) {
		_cleanup_(string_builder_deinit) struct string_builder names = STRING_BUILDER_INIT;
		if (sysfs >= 0)
			append_names(sysfs, ".", &names);
		return error_with_hint(error_create(ERROR_USAGE, "this machine has no PMU '%s'",
						    terms->pmu_name),
				       "its PMUs: %s", string_builder_peek(&names));
	}
	terms->events_fd = openat(terms->fd, "events", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return sysfs_events_read_formats(terms->fd, &terms->pmu);
}

struct error *sysfs_terms_find(struct catalog *catalog, const char *word, const struct event **ret,
			       struct sysfs_rate *ret_rate)
{
	*ret = NULL;
	if (!catalog->sysfs_folder || !sysfs_terms_is(word))
		return NULL;
	_cleanup_(terms_deinit) struct terms terms = {.catalog = catalog,
						      .pmu_name = strdup(word),
						      .fd = -1,
						      .events_fd = -1,
						      .measure = {.scale = 1},
						      .pmu = SYSFS_PMU_INIT};
	if (!terms.pmu_name)
		return &error_no_memory;
	char *slash = strchr(terms.pmu_name, '/');
	*slash = '\0';
	// The last character is the second slash: sysfs_terms_is() has seen to that.
	terms.text = slash + 1;
	terms.text[strlen(terms.text) - 1] = '\0';
	struct error *err = open_pmu(&terms);
	// A word without terms names no event; but AMD's IBS has only one, "ibs_op//".
	bool is_ibs = strncmp(terms.pmu_name, "ibs_", strlen("ibs_")) == 0;
	if (!err && !*terms.text && !is_ibs)
		err = unknown_term(&terms, "");
	for (char *rest = *terms.text ? terms.text : NULL, *term;
	     !err && (term = comma_list_next(&rest));)
		err = take_term(&terms, term);
	if (!err)
		err = sysfs_terms_add_event(&terms, word, ret);
	if (!err)
		*ret_rate = terms.rate;
	return err;
}
