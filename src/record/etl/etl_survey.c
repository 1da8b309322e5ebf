// SPDX-License-Identifier: Apache-2.0

#include "record/etl/etl_survey.h"

#include "base/container/array.h"

#include <stdlib.h>
#include <string.h>

enum {
	MAX_METHODS = 1 << 20,
	MAX_IMAGES = 1 << 18,
	MAX_NAME = 4096, // of a method, in bytes: signatures of generics grow without limit
};

static void etl_survey_note_time(struct etl_survey *survey, uint64_t time_ns)
{
	if (!survey->first_time_ns)
		survey->first_time_ns = time_ns;
	survey->last_time_ns = time_ns;
}

static struct etl_survey_source *etl_survey_source(struct etl_survey *survey, uint32_t number)
{
	for (size_t i = 0; i < survey->num_sources; i++) {
		if (survey->sources[i].source == number)
			return &survey->sources[i];
	}
	if (survey->num_sources == ETL_SOURCES_MAX)
		return NULL;
	struct etl_survey_source *source = &survey->sources[survey->num_sources++];
	*source = (struct etl_survey_source){.source = number};
	return source;
}

static void etl_survey_note_sample(struct etl_survey *survey, const struct etl_event *event)
{
	struct etl_sample sample;
	if (!etl_payload_sample(event, &sample) || etl_sample_is_idle(event, &sample))
		return;
	// Row 0 is the timer's; a counter sample of it is one of the timer as well.
	struct etl_survey_source *source = etl_survey_source(survey, sample.source);
	if (source)
		source->has_samples = true;
	etl_survey_note_time(survey, event->time_ns);
}

static struct error *etl_survey_note_interval(struct etl_survey *survey,
					      const struct etl_event *event)
{
	struct etl_interval interval;
	if (!etl_payload_interval(event, &interval))
		return NULL;
	struct etl_survey_source *source = etl_survey_source(survey, interval.source);
	if (!source)
		return NULL;
	// The first one is that of the samples before, too.
	if (!source->interval)
		source->interval = interval.interval;
	bool is_new = !source->name && interval.name.size;
	return is_new ? etl_modules_text(&survey->modules, interval.name, &source->name) : NULL;
}

static struct error *etl_survey_note_counters(struct etl_survey *survey,
					      const struct etl_event *event)
{
	struct etl_text names[ETL_SWITCH_COUNTERS];
	size_t num;
	if (survey->num_counters ||
	    !etl_payload_counter_names(event, names, ETL_SWITCH_COUNTERS, &num))
		return NULL;
	for (size_t i = 0; i < num; i++) {
		struct error *err =
			etl_modules_text(&survey->modules, names[i], &survey->counters[i]);
		if (err)
			return err;
	}
	survey->num_counters = num;
	return NULL;
}

static struct error *etl_survey_note_perfinfo(struct etl_survey *survey,
					      const struct etl_event *event)
{
	switch (event->opcode) {
	case ETL_SAMPLE:
	case ETL_COUNTER_SAMPLE:
		etl_survey_note_sample(survey, event);
		return NULL;
	case ETL_INTERVAL_SET:
	case ETL_INTERVAL_BEGIN:
	case ETL_INTERVAL_END:
		return etl_survey_note_interval(survey, event);
	case ETL_COUNTER_NAMES:
		return etl_survey_note_counters(survey, event);
	case ETL_DPC:
	case ETL_THREAD_DPC:
	case ETL_TIMER_DPC:
		survey->has_dpcs = true;
		etl_survey_note_time(survey, event->time_ns);
		return NULL;
	case ETL_ISR:
		survey->has_isrs = true;
		etl_survey_note_time(survey, event->time_ns);
		return NULL;
	default:
		return NULL;
	}
}

/** An event's thread was there, if nobody says more of it. */
static struct error *etl_survey_note_stack_thread(struct etl_survey *survey,
						  const struct etl_stack *stack)
{
	const struct etl_presence thread = {
		.kind = ETL_PRESENCE_THREAD,
		.pid = stack->pid,
		.tid = stack->tid,
	};
	bool is_one = stack->tid && stack->tid != ETL_NO_ID && stack->pid != ETL_NO_ID;
	// Windows' numbers of threads are multiples of 4. Few threads have most stacks.
	struct etl_survey_thread *noted = &survey->noted[stack->tid / 4 % ETL_SURVEY_NOTED];
	if (!is_one || (noted->tid == stack->tid && noted->pid == stack->pid))
		return NULL;
	*noted = (struct etl_survey_thread){stack->pid, stack->tid};
	return etl_rundown_note(&survey->rundown, &thread, ETL_THERE_AT_END);
}

static struct error *etl_survey_note_stack(struct etl_survey *survey, const struct etl_event *event)
{
	struct etl_stack stack;
	if (event->opcode < ETL_STACK || event->opcode > ETL_STACK_USER_KEY)
		return NULL;
	if (!etl_payload_stack(event, &stack)) {
		survey->num_bad++;
		return NULL;
	}
	struct error *err = etl_stacks_add(&survey->stacks, event, &stack);
	bool is_part = event->opcode == ETL_STACK || event->opcode == ETL_STACK_KERNEL_KEY ||
		       event->opcode == ETL_STACK_USER_KEY;
	return err || !is_part ? err : etl_survey_note_stack_thread(survey, &stack);
}

static struct error *etl_survey_note_config(struct etl_survey *survey,
					    const struct etl_event *event)
{
	struct etl_cpu cpu;
	struct etl_processor processor;
	if (event->opcode == ETL_CONFIG_CPU && etl_payload_cpu(event, &cpu)) {
		survey->machine.memory_mb = cpu.memory_mb;
		survey->machine.architecture = cpu.architecture;
		return etl_modules_text(&survey->modules, cpu.computer, &survey->machine.host);
	}
	if (event->opcode != ETL_CONFIG_PROCESSOR || survey->machine.name ||
	    !etl_payload_processor(event, &processor))
		return NULL;
	struct error *err =
		etl_modules_text(&survey->modules, processor.name, &survey->machine.name);
	return err ? err
		   : etl_modules_text(&survey->modules, processor.identifier,
				      &survey->machine.identifier);
}

/** "Namespace.Class.Method(arguments)" */
static void etl_method_append(struct string_builder *builder, const struct etl_method *method)
{
	_cleanup_(string_builder_deinit) struct string_builder signature = STRING_BUILDER_INIT;
	etl_text_append(builder, method->space);
	if (method->space.size)
		string_builder_append(builder, ".");
	etl_text_append(builder, method->name);
	etl_text_append(&signature, method->signature);
	const char *arguments = strchr(string_builder_peek(&signature), '(');
	string_builder_append(builder, arguments ? arguments : "");
	builder->failed = builder->failed || signature.failed;
}

static struct error *etl_survey_note_method(struct etl_survey *survey,
					    const struct etl_event *event)
{
	struct etl_method method;
	bool is_named = event->id == ETL_CLR_METHOD || event->id == ETL_CLR_METHOD_AT_END;
	if (!is_named || survey->num_methods == MAX_METHODS)
		return NULL;
	if (!etl_payload_method(event, &method)) {
		survey->num_bad++;
		return NULL;
	}
	if (!method.size)
		return NULL;
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	etl_method_append(&name, &method);
	uint32_t id;
	if (name.failed)
		return &error_no_memory;
	size_t length = name.length < MAX_NAME ? name.length : MAX_NAME;
	struct error *err = string_table_intern_n(&survey->modules.strings,
						  string_builder_peek(&name), length, &id);
	if (!err)
		err = array_reserve(&survey->methods, &survey->cap_methods,
				    survey->num_methods + 1);
	if (err)
		return err;
	survey->methods[survey->num_methods++] = (struct perf_data_method){
		.pid = event->pid,
		.start = method.start,
		.size = method.size,
		.name = string_table_get(&survey->modules.strings, id),
	};
	return NULL;
}

static bool is_survey_image(const void *owner, uint32_t index, const void *key)
{
	const struct etl_survey_image *image = &((const struct etl_survey *)owner)->images[index];
	const struct etl_survey_image *wanted = key;
	return image->pid == wanted->pid && image->base == wanted->base &&
	       !strcmp(image->name, wanted->name);
}

static struct error *etl_survey_note_image(struct etl_survey *survey,
					   const struct etl_presence *presence)
{
	const struct etl_survey_image added = {
		.name = presence->name,
		.pid = presence->pid,
		.base = presence->base,
		.time_ns = presence->time_ns,
		.time_stamp = presence->time_stamp,
		.size = (uint32_t)presence->size,
	};
	const uint64_t words[] = {added.pid, added.base, (uintptr_t)added.name};
	uint64_t hash = hash_bytes(words, sizeof(words));
	uint32_t index =
		hash_table_find(&survey->image_index, hash, is_survey_image, survey, &added);
	if (index != HASH_TABLE_NONE) {
		// Lists of what is there do not always have it.
		if (added.time_stamp)
			survey->images[index].time_stamp = added.time_stamp;
		return NULL;
	}
	if (survey->num_images == MAX_IMAGES)
		return NULL;
	struct error *err =
		array_reserve(&survey->images, &survey->cap_images, survey->num_images + 1);
	if (!err)
		err = hash_table_insert(&survey->image_index, hash, (uint32_t)survey->num_images);
	if (!err)
		survey->images[survey->num_images++] = added;
	return err;
}

static struct error *etl_survey_note_presence(struct etl_survey *survey,
					      const struct etl_event *event)
{
	struct etl_presence presence;
	uint32_t life;
	bool is_one, is_bad;
	struct error *err =
		etl_presence_read(event, &survey->modules, &presence, &life, &is_one, &is_bad);
	if (!err && is_one)
		err = etl_rundown_note(&survey->rundown, &presence, life);
	if (!err && is_one && presence.kind == ETL_PRESENCE_IMAGE && presence.name)
		err = etl_survey_note_image(survey, &presence);
	return err;
}

static struct error *etl_survey_note_thread(struct etl_survey *survey,
					    const struct etl_event *event)
{
	bool is_switch = event->opcode == ETL_THREAD_SWITCH;
	bool is_ready = event->opcode == ETL_THREAD_READY;
	survey->has_switches |= is_switch;
	survey->has_wakeups |= is_ready;
	survey->has_counts |= is_switch && event->num_counters;
	if (!is_switch && !is_ready)
		return etl_survey_note_presence(survey, event);
	etl_survey_note_time(survey, event->time_ns);
	return NULL;
}

static struct error *etl_survey_note_image_id(struct etl_survey *survey,
					      const struct etl_event *event)
{
	struct etl_image_id id;
	if (event->opcode != ETL_IMAGE_ID_RSDS)
		return NULL;
	if (etl_payload_image_id(event, &id))
		return etl_modules_add_id(&survey->modules, event->time_ns, &id);
	survey->num_bad++;
	return NULL;
}

static struct error *etl_survey_note_volume(struct etl_survey *survey,
					    const struct etl_event *event)
{
	struct etl_volume volume;
	bool is_volume =
		event->opcode == ETL_CONFIG_EX_VOLUME && etl_payload_volume(event, &volume);
	return is_volume ? etl_modules_add_volume(&survey->modules, &volume) : NULL;
}

static struct error *etl_survey_note(struct etl_survey *survey, const struct etl_event *event)
{
	switch (event->class) {
	case ETL_CLASS_PERFINFO:
		return etl_survey_note_perfinfo(survey, event);
	case ETL_CLASS_STACK:
		return etl_survey_note_stack(survey, event);
	case ETL_CLASS_THREAD:
		return etl_survey_note_thread(survey, event);
	case ETL_CLASS_PROCESS:
	case ETL_CLASS_IMAGE:
		return etl_survey_note_presence(survey, event);
	case ETL_CLASS_IMAGE_ID:
		return etl_survey_note_image_id(survey, event);
	case ETL_CLASS_CONFIG_EX:
		return etl_survey_note_volume(survey, event);
	case ETL_CLASS_CONFIG:
		return etl_survey_note_config(survey, event);
	case ETL_CLASS_CLR:
	case ETL_CLASS_CLR_RUNDOWN:
		return etl_survey_note_method(survey, event);
	case ETL_CLASS_LOST:
		survey->num_lost_events += event->opcode == ETL_LOST_EVENT;
		survey->num_lost_buffers += event->opcode == ETL_LOST_BUFFER;
		return NULL;
	default:
		return NULL;
	}
}

static int compare_methods(const void *a, const void *b)
{
	const struct perf_data_method *first = a, *second = b;
	if (first->pid != second->pid)
		return first->pid < second->pid ? -1 : 1;
	if (first->start != second->start)
		return first->start < second->start ? -1 : 1;
	return strcmp(first->name, second->name);
}

/** A method is listed when it is compiled, and again at the end. */
static void etl_survey_sort_methods(struct etl_survey *survey)
{
	struct perf_data_method *methods = survey->methods;
	size_t num = 0;
	if (survey->num_methods)
		qsort(methods, survey->num_methods, sizeof(*methods), compare_methods);
	for (size_t i = 0; i < survey->num_methods; i++) {
		bool is_again = num && !compare_methods(&methods[num - 1], &methods[i]);
		if (!is_again)
			methods[num++] = methods[i];
	}
	survey->num_methods = num;
}

struct error *etl_survey_walk(struct etl_survey *survey, struct etl_stream *stream)
{
	struct etl_event event;
	bool more;
	struct error *err;
	while (!(err = etl_stream_next(stream, &event, &more)) && more) {
		err = etl_survey_note(survey, &event);
		if (err)
			return err;
	}
	if (err)
		return err;
	// Before the first path is translated.
	for (size_t i = 0; !err && i < survey->num_images; i++)
		err = etl_modules_learn(&survey->modules, survey->images[i].name);
	if (!err)
		err = etl_rundown_end(&survey->rundown);
	if (err)
		return err;
	etl_survey_sort_methods(survey);
	survey->stacks.width = (struct etl_width){
		.is_arm64 = survey->machine.architecture == ETL_MACHINE_ARM64,
		.is_32_bit = etl_stream_facts(stream)->pointer_size == sizeof(uint32_t),
	};
	return etl_stacks_end(&survey->stacks);
}

void etl_survey_deinit(struct etl_survey *survey)
{
	etl_modules_deinit(&survey->modules);
	etl_rundown_deinit(&survey->rundown);
	etl_stacks_deinit(&survey->stacks);
	free(survey->images);
	hash_table_deinit(&survey->image_index);
	free(survey->methods);
}
