// SPDX-License-Identifier: Apache-2.0

#include "source/sim_sampling.h"

#include "driver/sim/program.h"

enum {
	FIRST_STEP_NS = 100000, // interrupts last so long that no more than half fit in
	MAX_STEP_NS = 10000000,
	LONGEST_WAIT_NS = 1000000000,
	FEW_SAMPLES = WPERF_MAX_SAMPLES / 4,
	FEW_BYTES = SIM_SPE_BUFFER / 8,
};

static const char process_name[] = "python_d.exe";

static struct error *copy_symbols(struct sim_sampling *sampling)
{
	size_t num;
	const struct program_function *functions = program_functions(&num);
	sampling->symbols = calloc(num, sizeof(*sampling->symbols));
	if (!sampling->symbols)
		return &error_no_memory;
	for (size_t i = 0; i < num; i++)
		sampling->symbols[i] = (struct sample_symbol){
			.address = functions[i].address,
			.size = functions[i].size,
			.name = functions[i].name,
			.file = functions[i].file,
			.line = functions[i].line,
		};
	sampling->num_symbols = num;
	return NULL;
}

static struct error *open_client(struct sim_sampling *sampling,
				 const struct driver_transport *transport,
				 const struct sample_plan *plan)
{
	const struct sim_config *config = &sampling->sim->config;
	sampling->is_spe = plan->spe;
	if (!plan->spe)
		return sampling_client_open(&sampling->client, transport, config->num_cores,
					    SIM_PID, plan);
	// The timer of the simulated machine ticks every nanosecond of its time.
	const struct spe_client_machine machine = {
		.num_cores = config->num_cores,
		.core_midr = config->core_midr,
		.pid = SIM_PID,
		.conversion = {.multiplier = 1, .is_known = true},
	};
	return spe_client_open(&sampling->spe, transport, &machine, plan);
}

struct error *sim_sampling_open(struct sim_sampling *sampling, struct sim *sim,
				const struct driver_transport *transport,
				const struct sample_plan *plan)
{
	*sampling = (struct sim_sampling){.sim = sim, .step_ns = FIRST_STEP_NS};
	struct error *err = copy_symbols(sampling);
	if (!err)
		err = open_client(sampling, transport, plan);
	if (err)
		sim_sampling_close(sampling);
	return err;
}

void sim_sampling_close(struct sim_sampling *sampling)
{
	sampling_client_close(&sampling->client);
	spe_client_close(&sampling->spe);
	free(sampling->symbols);
	*sampling = (struct sim_sampling)SIM_SAMPLING_INIT;
}

struct error *sim_sampling_start(struct sim_sampling *sampling)
{
	sampling->began_ns = sampling->sim->now_ns;
	return sampling->is_spe ? spe_client_start(&sampling->spe)
				: sampling_client_start(&sampling->client);
}

struct error *sim_sampling_stop(struct sim_sampling *sampling)
{
	sampling->has_stopped = true;
	uint64_t now_ns = sampling->sim->now_ns;
	return sampling->is_spe ? spe_client_stop(&sampling->spe, now_ns)
				: sampling_client_stop(&sampling->client, now_ns);
}

static struct error *poll_client(struct sim_sampling *sampling, bool *ret_has_few)
{
	unsigned most = 0;
	struct error *err = sampling_client_poll(&sampling->client, sampling->sim->now_ns, &most);
	*ret_has_few = most < FEW_SAMPLES;
	return err;
}

static struct error *poll_spe(struct sim_sampling *sampling, bool *ret_has_few)
{
	size_t num_bytes = 0;
	struct error *err = spe_client_poll(&sampling->spe, sampling->sim->now_ns, &num_bytes);
	*ret_has_few = num_bytes < FEW_BYTES;
	return err;
}

// The load is the same for ever: a step twice as long brings twice as many.
static struct error *step(struct sim_sampling *sampling, uint64_t duration_ns)
{
	bool has_few;
	sim_advance(sampling->sim, duration_ns);
	struct error *err =
		sampling->is_spe ? poll_spe(sampling, &has_few) : poll_client(sampling, &has_few);
	if (duration_ns == sampling->step_ns && has_few && duration_ns < MAX_STEP_NS)
		sampling->step_ns *= 2;
	return err;
}

struct error *sim_sampling_wait(struct sim_sampling *sampling, uint64_t timeout_ns)
{
	uint64_t left_ns = timeout_ns == UINT64_MAX ? LONGEST_WAIT_NS : timeout_ns;
	if (sampling->has_stopped)
		return NULL;
	struct error *err = NULL;
	while (!err && left_ns > 0) {
		uint64_t step_ns = left_ns < sampling->step_ns ? left_ns : sampling->step_ns;
		err = step(sampling, step_ns);
		left_ns -= step_ns;
	}
	return err;
}

static struct record record_of_image(const struct program_image *image)
{
	return (struct record){
		.kind = RECORD_MAP,
		.mode = image->is_kernel ? RECORD_MODE_KERNEL : RECORD_MODE_USER,
		.map =
			{
				.start = image->address,
				.length = image->size,
				.path = image->path,
				.is_executable = true,
			},
	};
}

/** The process, then its images. False: all have been given. */
static bool introduce(struct sim_sampling *sampling, struct record *ret)
{
	size_t num_images;
	const struct program_image *images = program_images(&num_images);
	size_t n = sampling->num_introduced;
	if (n > num_images)
		return false;
	if (n == 0)
		*ret = (struct record){
			.kind = RECORD_COMM,
			.mode = RECORD_MODE_USER,
			.comm = {.name = process_name, .is_exec = true},
		};
	else
		*ret = record_of_image(&images[n - 1]);
	ret->pid = ret->tid = SIM_PID;
	ret->time_ns = sampling->began_ns;
	ret->cpu = UINT32_MAX;
	sampling->num_introduced++;
	return true;
}

bool sim_sampling_next(struct sim_sampling *sampling, struct record *ret)
{
	if (introduce(sampling, ret))
		return true;
	return sampling->is_spe ? spe_client_next(&sampling->spe, ret)
				: sampling_client_next(&sampling->client, ret);
}

struct sample_totals sim_sampling_totals(const struct sim_sampling *sampling)
{
	return sampling->is_spe ? sampling->spe.totals : sampling->client.totals;
}
