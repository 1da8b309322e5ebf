// SPDX-License-Identifier: Apache-2.0

#include "source/sim/sim_program.h"

#include <stdlib.h>

// The program that appears to run on the simulated machine has no process on this one. Its name and
// its images are records in front of the samples, as those of a running process are, and its
// symbols come with the source.

static const char process_name[] = "python_d.exe";

struct error *sim_program_init(struct sim_program *program)
{
	size_t num;
	const struct program_function *functions = program_functions(&num);
	*program = (struct sim_program){.symbols = calloc(num, sizeof(*program->symbols))};
	if (!program->symbols)
		return &error_no_memory;
	for (size_t i = 0; i < num; i++)
		program->symbols[i] = (struct sample_symbol){
			.address = functions[i].address,
			.size = functions[i].size,
			.name = functions[i].name,
			.file = functions[i].file,
			.line = functions[i].line,
		};
	program->num_symbols = num;
	return NULL;
}

void sim_program_deinit(struct sim_program *program)
{
	free(program->symbols);
	*program = (struct sim_program)SIM_PROGRAM_INIT;
}

bool sim_program_introduce(struct sim_program *program, struct record *ret)
{
	size_t num_images;
	const struct program_image *images = program_images(&num_images);
	size_t n = program->num_introduced;
	if (n > num_images)
		return false;
	if (n == 0) {
		*ret = (struct record){
			.kind = RECORD_COMM,
			.mode = RECORD_MODE_USER,
			.comm = {.name = process_name, .is_exec = true},
		};
	} else {
		const struct program_image *image = &images[n - 1];
		*ret = (struct record){
			.kind = RECORD_MAP,
			.mode = image->is_kernel ? RECORD_MODE_KERNEL : RECORD_MODE_USER,
			.map = {.start = image->address,
				.length = image->size,
				.path = image->path,
				.is_executable = true},
		};
	}
	ret->pid = ret->tid = PROGRAM_PID;
	ret->time_ns = program->began_ns;
	ret->cpu = UINT32_MAX;
	program->num_introduced++;
	return true;
}
