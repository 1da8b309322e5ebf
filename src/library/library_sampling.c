// SPDX-License-Identifier: Apache-2.0
// Opening a sampling. The thread comes first: its number is in the plan of a process that samples
// itself, and as it exists before the events are opened, it does not inherit them. Events are
// opened and a command is started by the caller's thread, so that the command has the caller's mask
// of signals. The thread waits until wperf_sampling_start().

#include "library/library_sampling.h"

#include "library/library_config.h"
#include "library/library_error.h"
#include "library/library_session.h"
#include "session/setup/absent_source.h"

#include <stdlib.h>
#include <string.h>

static struct error *check_config(const struct wperf_sampling_config *config)
{
	if (config->pids && config->command)
		return error_with_hint(error_create(ERROR_USAGE, "processes and a command cannot "
								 "be combined"),
				       "set either pids or command");
	if (config->command && !config->command[0])
		return error_with_hint(error_create(ERROR_USAGE, "the command has no words"),
				       "its first word is the program");
	if (config->scope <= WPERF_SCOPE_THREAD)
		return NULL;
	return error_create(ERROR_USAGE, "unknown scope %d", (int)config->scope);
}

/** The caller may free what it said. @text: or NULL, which stays NULL. */
static struct error *keep_text(struct wperf_sampling *sampling, const char *text, const char **ret)
{
	*ret = text ? arena_strdup(&sampling->arena, text) : NULL;
	return text && !*ret ? &error_no_memory : NULL;
}

static struct error *keep_command(struct wperf_sampling *sampling, char *const *words)
{
	size_t num = 0;
	while (words && words[num])
		num++;
	if (!num)
		return NULL;
	char **copy = arena_alloc_array(&sampling->arena, num + 1, sizeof(*copy));
	if (!copy)
		return &error_no_memory;
	for (size_t i = 0; i < num; i++) {
		copy[i] = arena_strdup(&sampling->arena, words[i]);
		if (!copy[i])
			return &error_no_memory;
	}
	sampling->asked.command = sampling->asked.command_line = copy;
	return NULL;
}

static struct error *keep_texts(struct wperf_sampling *sampling,
				const struct wperf_sampling_config *config)
{
	const struct {
		const char *text, **place;
	} texts[] = {
		{config->events, &sampling->word.spec},
		{config->cores, &sampling->asked.words.cores},
		{config->pids, &sampling->asked.pids},
		{config->unwind, &sampling->asked.unwind_method},
		{config->python, &sampling->asked.interpreted},
		{config->recording, &sampling->recording},
	};
	struct error *err = keep_command(sampling, config->command);
	for (size_t i = 0; !err && i < sizeof(texts) / sizeof(texts[0]); i++)
		err = keep_text(sampling, texts[i].text, texts[i].place);
	return err;
}

/** Without a process or a command, the scope says who is meant. */
static struct error *choose_scope(struct wperf_sampling *sampling,
				  const struct wperf_sampling_config *config)
{
	struct sample_request *asked = &sampling->asked;
	if (config->pids || config->command || config->scope == WPERF_SCOPE_MACHINE)
		return NULL;
	asked->pids = arena_printf(&sampling->arena, "%u", sampling->process);
	if (config->scope == WPERF_SCOPE_THREAD)
		asked->only_thread = thread_own_number();
	else if (sampling->thread)
		asked->left_out_thread = thread_number(sampling->thread);
	return asked->pids ? NULL : &error_no_memory;
}

static struct error *fill_request(struct wperf_sampling *sampling,
				  const struct wperf_sampling_config *config)
{
	sampling->asked = (struct sample_request){
		.words = {.counted = &sampling->word, .num_counted = config->events != NULL},
		.keeps_samples = config->keeps_times,
		.kernel = config->with_kernel,
		.off_cpu = config->with_off_cpu,
		.frequency = config->frequency,
		.command_output = CHILD_OUTPUT_OURS,
		.has_callers = config->with_callers || config->unwind,
		.only_with_gil = config->only_with_gil,
	};
	struct error *err = keep_texts(sampling, config);
	return err ? err : choose_scope(sampling, config);
}

/** As the program does: another source where the default one cannot sample. */
static struct error *choose_session(struct wperf_sampling *sampling)
{
	struct wperf_session *session = sampling->session;
	sampling->setup.session = &session->session;
	const struct source_ops *stand_in =
		session->has_default_source ? absent_source_stand_in(NULL, &sampling->asked) : NULL;
	if (!stand_in)
		return NULL;
	const struct session_config config = {.source = stand_in->traits.name,
					      .with_catalog = true};
	sampling->setup.session = &sampling->stand_in;
	absent_source_note(stand_in, &sampling->setup.notes);
	return session_open(&sampling->stand_in, &config);
}

static struct error *open_setup(struct wperf_sampling *sampling)
{
	struct sample_setup *setup = &sampling->setup;
	struct error *err = choose_session(sampling);
	if (err)
		return err;
	sampling->warnings_before = setup->session->warnings.length;
	if (!setup->session->source->ops->sample)
		return error_create(ERROR_FAILED, "source '%s' cannot sample",
				    setup->session->source->ops->traits.name);
	err = sample_setup_find_events(setup, &sampling->asked);
	if (err)
		return err;
	if (sample_setup_lacks_core(setup))
		return error_with_hint(error_create(ERROR_USAGE,
						    "source '%s' samples one core at a time",
						    setup->session->source->ops->traits.name),
				       "choose one with the member 'cores', as \"0\"");
	return sample_setup_finish(setup);
}

/** The attributes of its file are known when the events are open. */
static struct error *open_sampling(struct wperf_sampling *sampling)
{
	struct sample_setup *setup = &sampling->setup;
	struct error *err = open_setup(sampling);
	if (!err)
		err = sampling_create(setup->session->source, &setup->config, setup->builder,
				      &sampling->sampling);
	if (err || !sampling->recording)
		return err;
	err = sample_setup_create_file(setup, sampling->recording, &sampling->file);
	if (!err)
		sampling_save(sampling->sampling, sampling->file);
	return err;
}

static struct error *open_thread(struct wperf_sampling *sampling)
{
	struct error *err = wake_event_init(&sampling->begin);
	if (!err)
		err = wake_event_init(&sampling->news);
	if (err || sampling->session->session.source->ops->traits.is_simulated)
		return err;
	return thread_start("wperf", library_sampling_take, sampling, &sampling->thread);
}

static struct error *library_sampling_open(struct wperf_sampling *sampling,
					   const struct wperf_sampling_config *config)
{
	struct error *err = check_config(config);
	if (!err)
		err = library_session_take(sampling->session);
	if (err)
		return err;
	sampling->has_session = true;
	err = open_thread(sampling);
	if (!err)
		err = fill_request(sampling, config);
	return err ? err : open_sampling(sampling);
}

struct wperf_error *wperf_sampling_open(struct wperf_session *session,
					const struct wperf_sampling_config *config,
					struct wperf_sampling **ret)
{
	struct wperf_sampling_config taken;
	if (!library_config_take(config, &taken, sizeof(taken)))
		return library_error_give(library_error_of_size("wperf_sampling_config"));
	struct wperf_sampling *sampling = calloc(1, sizeof(*sampling));
	if (!sampling)
		return library_error_give(&error_no_memory);
	sampling->session = session;
	sampling->process = thread_own_process();
	sampling->begin = sampling->news = (struct wake_event)WAKE_EVENT_INIT;
	struct error *err = library_sampling_open(sampling, &taken);
	if (err)
		wperf_sampling_close(sampling);
	else
		*ret = sampling;
	return library_error_give(err);
}

void wperf_sampling_close(struct wperf_sampling *sampling)
{
	// In a forked child everything is its parent's: the thread, the rings, and the command.
	if (!sampling || sampling->process != thread_own_process())
		return;
	library_sampling_end_thread(sampling);
	sampling_destroy(sampling->sampling);
	recording_file_destroy(sampling->file);
	sample_setup_deinit(&sampling->setup);
	session_close(&sampling->stand_in);
	if (sampling->has_session)
		library_session_release(sampling->session);
	wake_event_deinit(&sampling->begin);
	wake_event_deinit(&sampling->news);
	error_destroy(sampling->err);
	arena_deinit(&sampling->arena);
	free(sampling);
}
