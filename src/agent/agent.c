// SPDX-License-Identifier: Apache-2.0

#include "agent/agent.h"

#include "agent/agent_cost.h"
#include "agent/agent_sender.h"
#include "agent/service_rules.h"
#include "agent/services.h"
#include "agent/window_batches.h"
#include "agent/window_clock.h"
#include "base/cleanup.h"
#include "base/file/mapping_guard.h"
#include "base/file/memory_stream.h"
#include "base/os/clock.h"
#include "base/os/random_bytes.h"
#include "fleet/otlp/otlp_encoder.h"

#include <inttypes.h>
#include <stdlib.h>

// agent_round() is one round of sampling, after which services_look() reads the processes of new
// samples, and agent_sender_step() looks after the request that is on its way. When the window is
// over, agent_seal() makes batches of its profile, and agent_renew() begins with new tables if they
// have grown. All of this is one thread; only the server is waited for in another.

enum {
	// So long a request to stop, an answer and a new process wait, at most.
	ROUND_NS = 100000000,
	// Tables are renewed when the process is larger than this, and has grown so much since the
	// first window after it was renewed.
	RENEW_BYTES = 40 << 20,
	RENEW_GROWTH_BYTES = 4 << 20,
};

// Also processes that ended are forgotten then.
static const uint64_t renew_ns = UINT64_C(3600) * 1000000000;

struct agent {
	struct agent_config config;
	struct sampling *sampling;
	struct symbolizer *symbolizer;
	struct service_rules rules;
	struct services *services;
	struct agent_sender *sender;
	struct sample_dice dice;
	struct sample_budgets budgets;
	struct window_clock clock;
	uint64_t run_id; // tells batches of different runs apart
	bool is_sampled; // the current window is, as chance has it; before the first: true
	bool is_over;
	uint64_t num_lost;   // of the builder, until the last window
	uint64_t cpu_ns;     // until the last window that was sealed
	uint64_t sealed_ns;  // its end; before the first: when the agent began
	uint64_t renewed_ns; // when
	uint64_t base_bytes; // resident after the first window since then; 0: that is not over
	struct string_builder notes, said;
};

void agent_destroy(struct agent *agent)
{
	if (!agent)
		return;
	agent_sender_destroy(agent->sender);
	sampling_destroy(agent->sampling);
	symbolizer_destroy(agent->symbolizer);
	services_destroy(agent->services);
	service_rules_deinit(&agent->rules);
	sample_budgets_deinit(&agent->budgets);
	string_builder_deinit(&agent->notes);
	string_builder_deinit(&agent->said);
	free(agent);
}

static struct error *agent_read_rules(const struct agent_config *config, struct service_rules *ret)
{
	_cleanup_(service_rules_deinit) struct service_rules rules = SERVICE_RULES_INIT;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < config->num_rules; i++)
		err = service_rules_add(&rules, config->rules[i]);
	if (!err && config->rules_file)
		err = service_rules_read(&rules, config->rules_file);
	if (err)
		return err;
	*ret = rules;
	rules = (struct service_rules)SERVICE_RULES_INIT;
	return NULL;
}

static struct error *agent_create_sender(struct agent *agent)
{
	const struct agent_config *config = &agent->config;
	const struct agent_sender_config sender = {
		.url = config->url,
		.token_file = config->token_file,
		.token = config->token,
		.is_verbose = config->is_verbose,
		.spool = config->spool,
		.notes = &agent->notes,
	};
	return agent_sender_create(&sender, &agent->sender);
}

struct error *agent_create(const struct agent_config *config, struct agent **ret)
{
	_cleanup_(agent_destroyp) struct agent *agent = calloc(1, sizeof(*agent));
	if (!agent)
		return &error_no_memory;
	agent->config = *config;
	agent->budgets.per_hour = config->budget;
	window_clock_init(&agent->clock, config->window_ns,
			  strtoull(spool_agent_id(config->spool), NULL, 16));
	struct error *err = random_bytes_fill(&agent->run_id, sizeof(agent->run_id));
	if (!err)
		err = sample_dice_init(&agent->dice);
	if (!err)
		err = agent_read_rules(config, &agent->rules);
	if (!err)
		err = services_create(&agent->rules, &agent->services);
	if (!err)
		err = agent_create_sender(agent);
	if (!err)
		err = sampling_create(config->setup->session->source, &config->setup->config,
				      config->setup->builder, &agent->sampling);
	if (!err)
		err = sample_setup_symbolizer(config->setup, &agent->symbolizer);
	if (err)
		return err;
	*ret = take_ptr(agent);
	return NULL;
}

static struct window_instant agent_now(void)
{
	return (struct window_instant){clock_ns(CLOCK_MONOTONIC), clock_ns(CLOCK_REALTIME)};
}

static struct error *agent_begin_window(struct agent *agent, struct window_instant now)
{
	bool was_sampled = agent->is_sampled;
	window_clock_begin(&agent->clock, now, agent->config.is_once);
	agent->is_sampled = sample_dice_roll(&agent->dice) < agent->config.probability;
	services_begin_window(agent->services);
	return agent->is_sampled == was_sampled
		       ? NULL
		       : sampling_pause(agent->sampling, !agent->is_sampled);
}

struct error *agent_begin(struct agent *agent)
{
	// What reads all processes that run already is not a part of the first window.
	struct error *err = sampling_begin(agent->sampling, SAMPLING_FOREVER);
	agent->is_sampled = true;
	if (!err)
		err = agent_begin_window(agent, agent_now());
	agent->renewed_ns = agent->sealed_ns = agent->clock.start_ns;
	return err;
}

static double agent_mb(uint64_t bytes)
{
	return (double)bytes / (1 << 20);
}

static void agent_tell_window(struct agent *agent, const struct window_request *window,
			      const struct window_batches *batches, size_t num_bytes)
{
	uint64_t num_samples = 0;
	for (size_t i = 0; i < batches->num_batches; i++)
		for (size_t j = 0; j < batches->batches[i].profile.num_samples; j++)
			num_samples += batches->batches[i].profile.samples[j].count;
	double seconds = (double)window->length_ns / 1e9;
	// With those before that chance left out.
	double cost_ns = (double)(window->steady_ns - agent->sealed_ns);
	string_builder_appendf(&agent->notes,
			       "note: window of %.1f s: %" PRIu64 " samples, %" PRIu64
			       " lost, %zu services, %zu bytes; agent: %.2f %% of a CPU, %.1f MB\n",
			       seconds, num_samples - 2, window->num_lost, batches->num_batches,
			       num_bytes, 100 * (double)window->cost.cpu_ns / cost_ns,
			       agent_mb(window->cost.resident_bytes));
}

static struct error *agent_seal_batches(struct agent *agent, const struct window_request *window,
					const struct window_batches *batches)
{
	_cleanup_(memory_stream_deinit) struct memory_stream stream = MEMORY_STREAM_INIT;
	struct error *err = memory_stream_open(&stream);
	if (!err)
		err = otlp_encoder_write_all(batches->batches, batches->num_batches, true,
					     stream.stream, "a request");
	if (!err)
		err = memory_stream_close(&stream);
	if (err)
		return err;
	if (agent->config.is_verbose)
		agent_tell_window(agent, window, batches, stream.size);
	err = spool_seal(agent->config.spool, stream.text, stream.size,
			 (uint32_t)batches->num_batches);
	if (!err || err == &error_no_memory)
		return err;
	// Sampling goes on: there may be room later.
	string_builder_appendf(&agent->notes, "warning: %s; %zu batches of this window are lost\n",
			       err->message, batches->num_batches);
	error_destroy(err);
	return NULL;
}

static struct error *agent_seal_profile(struct agent *agent, struct named_profile *profile,
					uint64_t end_ns)
{
	const struct agent_config *config = &agent->config;
	const struct agent_cost cost = agent_cost_read();
	_cleanup_(window_batches_deinit) struct window_batches batches = {0};
	_cleanup_(string_builder_deinit) struct string_builder id = STRING_BUILDER_INIT;
	string_builder_appendf(&id, "%s-%016" PRIx64 "-%" PRIu64, spool_agent_id(config->spool),
			       agent->run_id, spool_next_sequence(config->spool));
	if (id.failed)
		return &error_no_memory;
	const struct window_request request = {
		.labels = config->labels,
		.num_labels = config->num_labels,
		.id = string_builder_peek(&id),
		.start_ns = agent->clock.start_wall_ns,
		.length_ns = end_ns - agent->clock.start_ns,
		.steady_ns = end_ns,
		.num_dropped = spool_num_dropped(config->spool),
		.num_lost = profile->num_lost - agent->num_lost,
		.cost = {cost.cpu_ns - agent->cpu_ns, cost.resident_bytes},
		.dice = &agent->dice,
		.budgets = &agent->budgets,
		.factor = 1 / config->probability,
	};
	agent->cpu_ns = cost.cpu_ns;
	agent->num_lost = profile->num_lost;
	struct error *err = window_batches_create(&request, profile, agent->services, &batches);
	if (!err)
		err = agent_seal_batches(agent, &request, &batches);
	agent->sealed_ns = end_ns;
	return err;
}

/** The window is over since @end_ns. */
static struct error *agent_seal(struct agent *agent, uint64_t end_ns)
{
	struct profile_builder *builder = agent->config.setup->builder;
	const struct named_profile *profile;
	if (!agent->is_sampled)
		return profile_builder_drop(builder);
	struct error *err = profile_builder_take(builder, agent->symbolizer, &profile);
	if (!err)
		err = services_look_at_all(agent->services, profile);
	return err ? err : agent_seal_profile(agent, profile_builder_profile(builder), end_ns);
}

/** What was read of files for names and unwinding: their mappings count as ours. */
static void agent_drop_pages(void)
{
	mapping_guard_drop_pages();
	agent_cost_trim_memory();
}

static struct error *agent_replace_tables(struct agent *agent)
{
	struct sample_setup *setup = agent->config.setup;
	struct profile_builder *old;
	// What has been read by now belongs to the old ones.
	struct error *err = sample_setup_renew_builder(setup, &old);
	if (err)
		return err;
	symbolizer_destroy(take_ptr(agent->symbolizer)); // it refers to the builder
	err = sampling_renew(agent->sampling, setup->builder);
	profile_builder_destroy(old);
	if (!err)
		err = sample_setup_symbolizer(setup, &agent->symbolizer);
	services_renew(agent->services);
	agent->num_lost = 0;
	return err;
}

static struct error *agent_renew(struct agent *agent)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	uint64_t bytes = agent_cost_read().resident_bytes;
	bool is_first = !agent->base_bytes;
	if (is_first)
		agent->base_bytes = bytes;
	bool has_grown =
		!is_first && bytes > RENEW_BYTES && bytes > agent->base_bytes + RENEW_GROWTH_BYTES;
	if ((!has_grown && now_ns - agent->renewed_ns < renew_ns) ||
	    !sampling_is_renewable(agent->sampling))
		return NULL;
	struct error *err = agent_replace_tables(agent);
	agent_drop_pages();
	agent->renewed_ns = now_ns;
	agent->base_bytes = 0;
	if (agent->config.is_verbose)
		string_builder_appendf(&agent->notes,
				       "note: tables renewed: %.1f MB, now %.1f MB\n",
				       agent_mb(bytes), agent_mb(agent_cost_read().resident_bytes));
	return err;
}

static struct error *agent_end_window(struct agent *agent)
{
	// Samples that come while it is sealed are in the next window, which begins here.
	struct window_instant now = agent_now();
	struct error *err = agent_seal(agent, now.monotonic_ns);
	agent_drop_pages();
	if (err)
		return err;
	if (agent->config.is_once) {
		agent->is_over = true;
		return NULL;
	}
	err = agent_begin_window(agent, now);
	return err ? err : agent_renew(agent);
}

struct error *agent_round(struct agent *agent, bool *ret_over)
{
	uint64_t left_ns = window_clock_left_ns(&agent->clock, clock_ns(CLOCK_MONOTONIC));
	bool is_over;
	struct error *err =
		sampling_round(agent->sampling, left_ns < ROUND_NS ? left_ns : ROUND_NS, &is_over);
	if (!err)
		err = services_look(agent->services,
				    profile_builder_profile(agent->config.setup->builder));
	if (!err)
		err = agent_sender_step(agent->sender);
	if (!err && !window_clock_left_ns(&agent->clock, clock_ns(CLOCK_MONOTONIC)))
		err = agent_end_window(agent);
	*ret_over = is_over || agent->is_over;
	return err;
}

struct error *agent_reload(struct agent *agent)
{
	struct service_rules rules;
	struct error *err = agent_read_rules(&agent->config, &rules);
	if (err == &error_no_memory)
		return err;
	if (err) {
		string_builder_appendf(&agent->notes, "warning: %s; the rules stay as they were\n",
				       err->message);
		error_destroy(err);
		return NULL;
	}
	service_rules_deinit(&agent->rules);
	agent->rules = rules;
	services_begin_window(agent->services);
	if (agent->config.is_verbose)
		string_builder_appendf(&agent->notes, "note: %zu service rules\n", rules.num_items);
	return NULL;
}

struct error *agent_end(struct agent *agent, uint64_t limit_ns, bool *ret_is_sent,
			const char **ret_reason)
{
	*ret_is_sent = true;
	*ret_reason = NULL;
	struct error *err = agent->is_over ? NULL : sampling_finish(agent->sampling);
	if (!err && !agent->is_over)
		err = agent_seal(agent, clock_ns(CLOCK_MONOTONIC));
	if (err || !agent->config.url)
		return err;
	return agent_sender_flush(agent->sender, limit_ns, ret_is_sent, ret_reason);
}

const char *agent_notes(struct agent *agent)
{
	struct string_builder said = agent->said;
	agent->said = agent->notes;
	agent->notes = said;
	string_builder_clear(&agent->notes);
	return string_builder_peek(&agent->said);
}
