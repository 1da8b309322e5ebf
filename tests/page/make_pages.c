// SPDX-License-Identifier: Apache-2.0
/**
 * make_pages FOLDER: writes the pages that test_page.js looks at, and what is true of them.
 *
 *	truth.html    few functions, two events, three threads, sources, instructions, hostile names
 *	large.html    200,000 different stacks
 *	spe.html      samples of SPE: a slow function, a quick one, a line that two threads share
 *	wait.html     a script deep in its interpreter, and a wait that has more samples
 *	gil.html      threads of Python that run, sleep and wait for the GIL
 *	cxx.html      names of C++, and inlined calls
 *	ratio.html    cycles, misses and instructions of few and of many samples
 *	diff.html     two recordings of that program, the second with less of one function
 *	demo.html     a profile as a program of some size gives it, to look at
 *	demo.svg      the same as a picture
 */
#include "view/page/report_page.h"

#include "base/container/array.h"
#include "profile/profile_join.h"
#include "tests/unit/spe_samples.h"
#include "view/export/flame_svg.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NS_PER_MS = 1000000, LARGE_STACKS = 200000, MAX_DEPTH = 64 };

static void must(struct error *err)
{
	if (!err)
		return;
	fprintf(stderr, "%s\n", err->message);
	exit(1);
}

static uint32_t text(struct named_profile *profile, const char *words)
{
	uint32_t id;
	must(named_profile_string(profile, words, &id));
	return id;
}

static uint32_t add_module(struct named_profile *profile, const char *name)
{
	char path[256];
	snprintf(path, sizeof(path), "/usr/lib/%s", name);
	struct named_module module = {.name = text(profile, name), .path = text(profile, path)};
	uint32_t index;
	must(named_profile_module(profile, &module, &index));
	return index;
}

static uint32_t add_function(struct named_profile *profile, const char *name, const char *module,
			     const char *file, uint32_t line, enum frame_kind kind)
{
	struct named_function function = {.name = text(profile, name),
					  .module = *module ? add_module(profile, module)
							    : (uint32_t)NAMED_NONE,
					  .file = text(profile, file),
					  .line = line,
					  .kind = kind};
	uint32_t index;
	must(named_profile_function(profile, &function, &index));
	return index;
}

static uint32_t add_frame(struct named_profile *profile, uint32_t function, uint32_t line,
			  bool is_inlined, uint64_t address)
{
	struct named_frame frame = {.function = function,
				    .file = profile->functions[function].file,
				    .line = line,
				    .is_inlined = is_inlined,
				    .address = address};
	uint32_t index;
	must(named_profile_frame(profile, &frame, &index));
	return index;
}

static uint32_t add_thread(struct named_profile *profile, uint32_t tid, const char *name)
{
	struct named_thread thread = {.pid = 100,
				      .tid = tid,
				      .name = text(profile, name),
				      .process_name = text(profile, "server")};
	uint32_t index;
	must(named_profile_thread(profile, &thread, &index));
	return index;
}

static uint32_t add_event(struct named_profile *profile, const char *name, const char *unit,
			  uint64_t frequency)
{
	struct named_event event = {.name = text(profile, name),
				    .unit = text(profile, unit),
				    .frequency = frequency,
				    .period = frequency ? 0 : 10000};
	uint32_t index;
	must(named_profile_event(profile, &event, &index));
	return index;
}

static void describe(struct named_profile *profile, const char *command)
{
	profile->command_line = text(profile, command);
	profile->host = text(profile, "build-7");
	profile->system = text(profile, "Linux 6.1");
	profile->machine = text(profile, "aarch64");
	profile->start_time_ns = 5000ull * NS_PER_MS;
	profile->duration_ns = 1000ull * NS_PER_MS;
	profile->start_wall_ns = 1700000000ull * 1000 * NS_PER_MS;
}

static void write_page(const char *folder, const char *name, const struct named_profile *profile,
		       const struct report_page_options *options)
{
	char path[1024];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *stream = fopen(path, "wb");
	if (!stream) {
		perror(path);
		exit(1);
	}
	must(report_page_write(stream, path, profile, options));
	if (fclose(stream) != 0) {
		perror(path);
		exit(1);
	}
}

static void write_svg(const char *folder, const char *name, const struct named_profile *profile)
{
	char path[1024];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *stream = fopen(path, "wb");
	if (!stream) {
		perror(path);
		exit(1);
	}
	must(flame_svg_write(profile, 0, stream, path));
	fclose(stream);
}

/** Sources are beside the pages: "calc.c" is a file that was written there, others are missing. */
static struct error *open_source(void *context, const char *path, struct file_map *ret)
{
	char full[1024];
	snprintf(full, sizeof(full), "%s/%s", (const char *)context, path);
	return file_map_open(ret, full);
}

static void write_source(const char *folder)
{
	char path[1024];
	snprintf(path, sizeof(path), "%s/calc.c", folder);
	FILE *stream = fopen(path, "w");
	if (!stream)
		exit(1);
	for (int line = 1; line <= 200; line++)
		fprintf(stream, "\tline_%d(); // </script><img src=x onerror=alert(1)> \xff\n",
			line);
	fclose(stream);
}

struct truth_functions {
	uint32_t start, compute, multiply, kernel, script, compiled, hostile, recurse;
};

static struct truth_functions truth_functions(struct named_profile *profile)
{
	static const char hostile[] = "</script><img src=x onerror=alert(1)>\"'&\xff\xe2\x80\xae";
	return (struct truth_functions){
		.start = add_function(profile, "main", "server", "calc.c", 10, FRAME_NATIVE),
		.compute = add_function(profile, "compute", "server", "calc.c", 40, FRAME_NATIVE),
		.multiply = add_function(profile, "multiply", "server", "calc.c", 90, FRAME_NATIVE),
		.kernel = add_function(profile, "copy_to_user", "[kernel]", "", 0, FRAME_KERNEL),
		.script = add_function(profile, "handle_request", "python3.11", "app.py", 7,
				       FRAME_INTERPRETED),
		.compiled = add_function(profile, "LazyCompile:*tick", "", "", 0, FRAME_JIT),
		.hostile = add_function(profile, hostile, hostile, hostile, 3, FRAME_NATIVE),
		.recurse = add_function(profile, "recurse", "server", "calc.c", 150, FRAME_NATIVE),
	};
}

struct truth_stack {
	uint32_t frames[5]; /* outermost first */
	size_t depth;
	uint32_t event, thread, milliseconds, count, weight;
};

static void add_stack(struct named_profile *profile, const struct truth_stack *each)
{
	uint32_t stack = STACK_NONE;
	for (size_t i = 0; i < each->depth; i++)
		must(stack_table_push(&profile->stacks, stack, each->frames[i], &stack));
	struct named_sample sample = {.time_ns = profile->start_time_ns +
						 (uint64_t)each->milliseconds * NS_PER_MS,
				      .weight = each->weight,
				      .count = each->count,
				      .stack = stack,
				      .thread = each->thread,
				      .event = each->event,
				      .cpu = NAMED_NONE};
	must(named_profile_add(profile, &sample));
}

static void write_truth(const char *folder)
{
	struct named_profile profile;
	must(named_profile_init(&profile));
	describe(&profile, "./server --name '</script><b>x'");
	profile.num_lost = 3;
	struct truth_functions f = truth_functions(&profile);
	uint32_t cycles = add_event(&profile, "cycles", "events", 4000);
	uint32_t misses = add_event(&profile, "l1d_cache_refill", "events", 0);
	uint32_t one = add_thread(&profile, 101, "main"), two = add_thread(&profile, 102, "worker");
	uint32_t three = add_thread(&profile, 103, "<i>evil</i>");
	uint32_t start = add_frame(&profile, f.start, 12, false, 0x1010);
	uint32_t compute = add_frame(&profile, f.compute, 42, false, 0x2010);
	uint32_t compute_later = add_frame(&profile, f.compute, 45, false, 0x2018);
	uint32_t multiply = add_frame(&profile, f.multiply, 91, true, 0x2010);
	uint32_t kernel = add_frame(&profile, f.kernel, 0, false, 0xffffffff81000010);
	uint32_t script = add_frame(&profile, f.script, 8, false, 0);
	profile.frames[script].is_compiled = true;
	uint32_t compiled = add_frame(&profile, f.compiled, 0, false, 0x10);
	uint32_t hostile = add_frame(&profile, f.hostile, 4, false, 0x30);
	uint32_t recurse = add_frame(&profile, f.recurse, 151, false, 0x40);
	// Of cycles there are 1000 in all, so that weights are tenths of a percent.
	const struct truth_stack stacks[] = {
		{{start, compute, multiply}, 3, cycles, one, 100, 30, 300},
		{{start, compute}, 2, cycles, one, 300, 10, 100},
		{{start, compute_later}, 2, cycles, one, 600, 10, 100},
		{{start, compute_later, kernel}, 3, cycles, two, 610, 15, 150},
		{{script, compiled}, 2, cycles, two, 800, 10, 100},
		{{start, recurse, recurse, recurse}, 4, cycles, three, 900, 12, 120},
		{{start, hostile}, 2, cycles, three, 950, 8, 80},
		{{0}, 0, cycles, three, 990, 5, 50},
		{{start, compute, multiply}, 3, misses, one, 100, 1, 10000},
		{{start, hostile}, 2, misses, two, 700, 3, 30000},
	};
	for (size_t i = 0; i < ARRAY_SIZE(stacks); i++)
		add_stack(&profile, &stacks[i]);
	const struct report_instruction instructions[] = {
		{0x2000, "sub sp, sp, #0x20", 40, 0}, {0x2010, "mul x0, x0, x1", 42, 0},
		{0x2018, "bl <copy_to_user>", 45, 0}, {0x201c, "b.ne 0x2010", 46, 2},
		{0x2020, "ret </script>", 46, 0},
	};
	const struct report_listing listing = {f.compute, instructions, ARRAY_SIZE(instructions)};
	write_source(folder);
	write_page(folder, "truth.html", &profile,
		   &(struct report_page_options){.title = "Truth <b>",
						 .notes = "note: 3 of 103 records were lost\n"
							  "hint: raise <i>-F</i>\n\n"
							  "note: no symbols of libc.so.6\n",
						 .open_source = open_source,
						 .source_context = (void *)folder,
						 .listings = &listing,
						 .num_listings = 1});
	named_profile_deinit(&profile);
}

/** The same functions with other numbers if @is_late: a function is there that sorts first. */
static void write_ratio(const char *folder, const char *name, bool is_late)
{
	struct named_profile profile;
	must(named_profile_init(&profile));
	describe(&profile, "./server");
	if (is_late) {
		uint32_t late = add_function(&profile, "late", "server", "late.c", 1, FRAME_NATIVE);
		add_frame(&profile, late, 2, false, 0x9000);
	}
	struct truth_functions f = truth_functions(&profile);
	uint32_t misses = add_event(&profile, "cache-misses", "events", 0);
	uint32_t cycles = add_event(&profile, "cycles", "events", 0);
	uint32_t instructions = add_event(&profile, "instructions", "events", 0);
	uint32_t thread = add_thread(&profile, 101, "main");
	uint32_t compute = add_frame(&profile, f.compute, 42, false, 0x2010);
	uint32_t compute_later = add_frame(&profile, f.compute, 45, false, 0x2018);
	uint32_t multiply = add_frame(&profile, f.multiply, 91, false, 0x3010);
	uint32_t kernel = add_frame(&profile, f.kernel, 0, false, 0xffffffff81000010);
	const struct truth_stack stacks[] = {
		{{compute}, 1, cycles, thread, 100, 40, 40000000},
		{{compute}, 1, instructions, thread, 100, 80, 80000000},
		{{compute}, 1, misses, thread, 100, 60, 6000},
		{{compute_later}, 1, cycles, thread, 100, 60, 60000000},
		{{compute_later}, 1, instructions, thread, 100, 20, 20000000},
		{{multiply}, 1, cycles, thread, 100, 50, 50000000},
		{{multiply}, 1, instructions, thread, 100, 25, 25000000},
		{{kernel}, 1, cycles, thread, 100, 19, 19000000},
		{{kernel}, 1, instructions, thread, 100, 500, 500000000},
	};
	for (size_t i = 0; i < ARRAY_SIZE(stacks); i++)
		add_stack(&profile, &stacks[i]);
	write_page(folder, name, &profile, &(struct report_page_options){.title = "ratio"});
	named_profile_deinit(&profile);
}

struct random {
	uint64_t state;
};

static uint32_t next_random(struct random *random, uint32_t limit)
{
	random->state = random->state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(random->state >> 33) % limit;
}

/** Small numbers are much likelier, as hot functions are. */
static uint32_t next_skewed(struct random *random, uint32_t limit)
{
	uint64_t a = next_random(random, limit), b = next_random(random, limit);
	return (uint32_t)(a * b / limit);
}

static void name_functions(struct named_profile *profile, uint32_t *functions, size_t count)
{
	static const char *const verbs[] = {"parse",  "merge", "encode", "lookup", "scan",
					    "insert", "hash",  "copy",   "flush",  "decode"};
	static const char *const nouns[] = {"node",  "packet", "row",   "index",  "block",
					    "token", "frame",  "value", "cursor", "page"};
	static const char *const modules[] = {"server", "libstore.so.3", "libc.so.6",
					      "libcrypto.so.3"};
	for (size_t i = 0; i < count; i++) {
		char name[96], file[64];
		snprintf(name, sizeof(name), "%s%s_%s", i % 7 == 3 ? "store::detail::" : "",
			 verbs[i % 10], nouns[i / 10 % 10]);
		if (i >= 100)
			snprintf(name + strlen(name), sizeof(name) - strlen(name), "<%zu>",
				 i / 100);
		snprintf(file, sizeof(file), "/src/store/%s.c", nouns[i / 10 % 10]);
		bool is_kernel = i % 13 == 12;
		enum frame_kind kind = is_kernel     ? FRAME_KERNEL
				       : i % 17 == 5 ? FRAME_INTERPRETED
				       : i % 23 == 7 ? FRAME_JIT
						     : FRAME_NATIVE;
		functions[i] = add_function(profile, name, is_kernel ? "[kernel]" : modules[i % 4],
					    file, (uint32_t)(10 + i), kind);
	}
}

/** Extends a stack by a function that its last one calls: each has a few favourites. */
static uint32_t push_random(struct named_profile *profile, const uint32_t *functions,
			    uint32_t num_functions, struct random *random, uint32_t stack)
{
	uint32_t caller = profile->frames[profile->stacks.nodes[stack].frame].function;
	uint32_t choice = next_skewed(random, 9);
	uint32_t function = (caller * 31 + choice * choice * 7 + 1) % num_functions;
	uint32_t line = 10 + function + next_skewed(random, 3);
	uint32_t frame = add_frame(profile, functions[function], line, choice == 2,
				   (uint64_t)function * 64 + line);
	must(stack_table_push(&profile->stacks, stack, frame, &stack));
	return stack;
}

/** Stacks that grow from each other, so that they share much, as those of programs do. */
static void write_large(const char *folder)
{
	enum { NUM_FUNCTIONS = 4000, NUM_THREADS = 24 };
	struct named_profile profile;
	must(named_profile_init(&profile));
	describe(&profile, "./server --listen 8080 --threads 24");
	uint32_t *functions = calloc(NUM_FUNCTIONS, sizeof(*functions));
	uint32_t *leaves = calloc(LARGE_STACKS, sizeof(*leaves));
	uint8_t *is_leaf = calloc(1 << 24, 1);
	if (!functions || !leaves || !is_leaf)
		exit(1);
	name_functions(&profile, functions, NUM_FUNCTIONS);
	uint32_t event = add_event(&profile, "cycles", "events", 4000);
	for (uint32_t i = 0; i < NUM_THREADS; i++) {
		char name[32];
		snprintf(name, sizeof(name), "worker-%u", i);
		add_thread(&profile, 4000 + i, name);
	}
	struct random random = {42};
	uint32_t start = add_frame(&profile, functions[0], 10, false, 1), root;
	must(stack_table_push(&profile.stacks, STACK_NONE, start, &root));
	for (size_t count = 0; count < LARGE_STACKS;) {
		uint32_t stack = count ? leaves[next_random(&random, (uint32_t)count)] : root;
		for (uint32_t up = next_random(&random, 5); up > 0 && stack != root; up--)
			stack = profile.stacks.nodes[stack].parent;
		for (uint32_t down = 1 + next_random(&random, 4); down > 0; down--)
			stack = push_random(&profile, functions, NUM_FUNCTIONS, &random, stack);
		if (is_leaf[stack] || profile.stacks.nodes[stack].depth > MAX_DEPTH)
			continue;
		is_leaf[stack] = 1;
		leaves[count++] = stack;
		struct named_sample sample = {.time_ns = profile.start_time_ns +
							 next_random(&random, 1000000) * 1000ull,
					      .weight = 500000 + next_random(&random, 200000),
					      .count = 1,
					      .stack = stack,
					      .thread = next_skewed(&random, NUM_THREADS),
					      .event = event,
					      .cpu = 0};
		must(named_profile_add(&profile, &sample));
	}
	write_page(folder, "large.html", &profile, &(struct report_page_options){.title = NULL});
	printf("large.html: %d distinct stacks, %zu nodes\n", LARGE_STACKS,
	       profile.stacks.num_nodes);
	free(is_leaf);
	free(leaves);
	free(functions);
	named_profile_deinit(&profile);
}

/** Outermost first, each function of a kind: native, [kernel], (Python), {JIT}, <inlined>. */
static const struct demo_stack {
	const char *calls;
	unsigned weight;
	unsigned threads; /* bit mask */
} demo_stacks[] = {
	{"_start main serve accept_loop [__x64_sys_accept4] [inet_csk_accept]", 20, 1},
	{"_start main serve accept_loop epoll_wait [do_epoll_wait] [ep_poll] [schedule]", 60, 1},
	{"_start main load_config parse_json parse_object parse_string <utf8_next>", 26, 1},
	{"_start main load_config parse_json parse_object parse_number strtod", 14, 1},
	{"_start main load_config read_file read [ksys_read] [vfs_read] [filemap_read]", 22, 1},
	{"clone start_thread worker_run handle_request parse_request http_parse "
	 "<header_compare> memcmp",
	 90, 62},
	{"clone start_thread worker_run handle_request parse_request http_parse scan_token", 160,
	 62},
	{"clone start_thread worker_run handle_request parse_request http_parse scan_token "
	 "<is_token_char>",
	 75, 62},
	{"clone start_thread worker_run handle_request route trie_find <hash_bytes>", 84, 62},
	{"clone start_thread worker_run handle_request route trie_find", 50, 62},
	{"clone start_thread worker_run handle_request store::query store::btree::descend "
	 "<store::btree::compare> memcmp",
	 230, 62},
	{"clone start_thread worker_run handle_request store::query store::btree::descend "
	 "<store::btree::compare>",
	 190, 62},
	{"clone start_thread worker_run handle_request store::query store::btree::descend "
	 "store::page_cache::pin <std::atomic::fetch_add>",
	 120, 62},
	{"clone start_thread worker_run handle_request store::query store::btree::descend "
	 "store::page_cache::load pread64 [ksys_pread64] [vfs_read] [filemap_read] "
	 "[copy_page_to_iter]",
	 140, 62},
	{"clone start_thread worker_run handle_request store::query store::btree::descend "
	 "store::page_cache::load pread64 [ksys_pread64] [vfs_read] [filemap_get_pages]",
	 40, 62},
	{"clone start_thread worker_run handle_request store::query store::decode_row "
	 "<varint_next>",
	 130, 62},
	{"clone start_thread worker_run handle_request store::query store::decode_row malloc "
	 "_int_malloc",
	 60, 62},
	{"clone start_thread worker_run handle_request store::query "
	 "std::vector<store::row,_std::allocator<store::row>>::emplace_back memmove",
	 45, 62},
	{"clone start_thread worker_run handle_request run_script _PyEval_EvalFrameDefault "
	 "(render_page) (format_rows) (escape) _Py_string_replace",
	 70, 60},
	{"clone start_thread worker_run handle_request run_script _PyEval_EvalFrameDefault "
	 "(render_page) (format_rows) PyUnicode_Format",
	 85, 60},
	{"clone start_thread worker_run handle_request run_script _PyEval_EvalFrameDefault "
	 "(render_page) (format_rows)",
	 66, 60},
	{"clone start_thread worker_run handle_request run_script _PyEval_EvalFrameDefault "
	 "(render_page) (load_template) open [do_sys_openat2] [path_openat]",
	 18, 60},
	{"clone start_thread worker_run handle_request run_filter {JS:*applyFilter} "
	 "{JS:*matchRule}",
	 64, 28},
	{"clone start_thread worker_run handle_request run_filter {JS:*applyFilter}", 30, 28},
	{"clone start_thread worker_run handle_request send_reply deflate deflate_slow "
	 "longest_match",
	 170, 62},
	{"clone start_thread worker_run handle_request send_reply deflate deflate_slow", 50, 62},
	{"clone start_thread worker_run handle_request send_reply deflate compress_block", 44, 62},
	{"clone start_thread worker_run handle_request send_reply writev [do_writev] "
	 "[tcp_sendmsg] [tcp_write_xmit] [__tcp_transmit_skb]",
	 96, 62},
	{"clone start_thread worker_run handle_request send_reply writev [do_writev] "
	 "[tcp_sendmsg] [copy_from_iter]",
	 50, 62},
	{"clone start_thread worker_run queue_pop pthread_cond_wait [futex_wait] [schedule]", 70,
	 62},
	{"clone start_thread flusher_run store::wal::flush crc32c", 110, 64},
	{"clone start_thread flusher_run store::wal::flush fdatasync [ext4_sync_file] "
	 "[submit_bio_wait]",
	 40, 64},
};

/** A frame of a word of demo_stacks. */
static uint32_t demo_frame(struct named_profile *profile, const char *word)
{
	static const struct demo_kind {
		char mark;
		enum frame_kind kind;
		const char *module;
	} kinds[] = {{'[', FRAME_KERNEL, "[kernel]"},
		     {'(', FRAME_INTERPRETED, "pages.py"},
		     {'{', FRAME_JIT, "[jit]"},
		     {'<', FRAME_NATIVE, "server"}};
	static const struct demo_kind native = {0, FRAME_NATIVE, "server"};
	static const struct demo_kind library = {0, FRAME_NATIVE, "libc.so.6"};
	const struct demo_kind *kind = strchr("mp_re", *word) ? &library : &native;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (*word == kinds[i].mark)
			kind = &kinds[i];
	}
	char name[128];
	snprintf(name, sizeof(name), "%s", word + (kind->mark != 0));
	if (kind->mark)
		name[strlen(name) - 1] = '\0';
	for (char *c = strchr(name, '_'); c && strchr(name, '<'); c = strchr(c + 1, '_'))
		*c = c[-1] == ',' ? ' ' : '_';
	uint32_t line = (uint32_t)(20 + hash_bytes(name, strlen(name)) % 150);
	uint32_t function = add_function(profile, name, kind->module, __FILE__, line, kind->kind);
	return add_frame(profile, function, line + 2, kind->mark == '<', line);
}

static uint32_t demo_intern(struct named_profile *profile, const char *calls)
{
	char words[512];
	snprintf(words, sizeof(words), "%s", calls);
	uint32_t stack = STACK_NONE;
	char *rest = NULL;
	for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		must(stack_table_push(&profile->stacks, stack, demo_frame(profile, word), &stack));
	return stack;
}

/** When a thread is at work: what happens early and late differs, and workers pause. */
static bool is_busy(uint32_t thread, size_t row, uint32_t time)
{
	if (thread == 0)
		return row < 2 || time < 150000;
	if (thread == 6)
		return time / 1000 % 250 < 60;
	bool is_script = strstr(demo_stacks[row].calls, "run_script") != NULL;
	if (is_script && time < 420000)
		return false;
	return time > 120000 && (time / 1000 + thread * 37) % (160 + 25 * thread) > 30 + 9 * thread;
}

/** The demo says that it was compiled from this file, so that there is code to look at. */
static struct error *open_own_source(void *context, const char *path, struct file_map *ret)
{
	return file_map_open(ret, path);
}

static void write_demo(const char *folder)
{
	static const char *const names[] = {"server",   "worker-1", "worker-2", "worker-3",
					    "worker-4", "worker-5", "wal-flush"};
	struct named_profile profile;
	must(named_profile_init(&profile));
	describe(&profile, "./server --listen 8080 --workers 5 --store /var/lib/store");
	uint32_t events[] = {add_event(&profile, "cycles", "events", 4000),
			     add_event(&profile, "l1d_cache_refill", "events", 0)};
	for (uint32_t i = 0; i < ARRAY_SIZE(names); i++)
		add_thread(&profile, 4211 + i, names[i]);
	struct random random = {7};
	for (size_t row = 0; row < ARRAY_SIZE(demo_stacks); row++) {
		uint32_t stack = demo_intern(&profile, demo_stacks[row].calls);
		for (unsigned left = demo_stacks[row].weight * 6; left > 0;) {
			uint32_t thread = next_random(&random, ARRAY_SIZE(names));
			uint32_t time = next_random(&random, 1000000);
			if (!(demo_stacks[row].threads >> thread & 1) ||
			    !is_busy(thread, row, time))
				continue;
			struct named_sample sample = {.time_ns = profile.start_time_ns +
								 time * 1000ull,
						      .weight = 600000,
						      .count = 1,
						      .stack = stack,
						      .thread = thread,
						      .event = events[next_random(&random, 5) == 0],
						      .cpu = NAMED_NONE};
			must(named_profile_add(&profile, &sample));
			left--;
		}
	}
	write_page(folder, "demo.html", &profile,
		   &(struct report_page_options){.open_source = open_own_source});
	write_svg(folder, "demo.svg", &profile);
	named_profile_deinit(&profile);
}

/** An access of a thread, whose latency is an event, too. */
static void add_access(struct named_profile *profile, uint32_t stack, uint32_t thread,
		       bool is_store, uint64_t address, uint32_t cycles)
{
	struct spe_sample sample = {
		.record = spe_test_access(is_store, address, cycles),
		.place = {.stack = stack, .thread = NAMED_NONE},
		.pid = 100,
		.line_thread = thread,
	};
	must(spe_profile_add(profile->spe, &sample));
	for (uint32_t event = 0; event < 2; event++)
		must(named_profile_add(profile,
				       &(struct named_sample){.time_ns = profile->start_time_ns,
							      .weight = event ? cycles : 1,
							      .count = 1,
							      .stack = stack,
							      .thread = thread,
							      .event = event,
							      .cpu = NAMED_NONE}));
}

/** 60 accesses of slow(), 90 cycles each, of two threads to one line; 120 of quick(), 5 cycles. */
static void write_spe(const char *folder)
{
	struct named_profile profile;
	must(named_profile_init(&profile));
	must(spe_profile_create(&profile.spe));
	describe(&profile, "./shares <b>");
	add_event(&profile, "arm_spe_0", "events", 0);
	profile.spe->latency_event = add_event(&profile, "spe-latency", "cycles", 0);
	uint32_t threads[] = {add_thread(&profile, 101, "main"),
			      add_thread(&profile, 102, "</script><b>evil</b>")};
	uint32_t stacks[2];
	static const char *const names[] = {"slow", "quick"};
	for (uint32_t i = 0; i < ARRAY_SIZE(stacks); i++) {
		uint32_t function =
			add_function(&profile, names[i], "shares", "shares.c", 10, FRAME_NATIVE);
		uint32_t frame = add_frame(&profile, function, 12 + i, false, 64 * i + 64);
		must(stack_table_push(&profile.stacks, STACK_NONE, frame, &stacks[i]));
	}
	for (uint32_t i = 0; i < 60; i++)
		add_access(&profile, stacks[0], threads[i % 2], i % 2 == 0,
			   0x7f0000001000 + 8 * (i % 2), 90);
	for (uint32_t i = 0; i < 120; i++)
		add_access(&profile, stacks[1], threads[0], false, 0x7f0000002000 + 64 * i, 5);
	struct spe_report spe = {.profile = &profile, .topic = SPE_TOPIC_LATENCY};
	must(spe_list_create(&profile, HOT_FUNCTION, SPE_ORDER_LATENCY, NULL, &spe.places));
	must(line_sharing_create(&profile, NULL, &spe.sharing));
	write_page(folder, "spe.html", &profile, &(struct report_page_options){.spe = &spe});
	spe_list_deinit(&spe.places);
	line_sharing_deinit(&spe.sharing);
	named_profile_deinit(&profile);
}

/** 100 regular samples of a script, below 40 rows of its interpreter. Its thread is away from 250
 * to 750 ms, and a helper 200 times for 1 ms. */
static void write_wait(const char *folder)
{
	enum { INTERPRETER_ROWS = 40, WAITS = 200, PERIOD_MS = 5 };
	struct named_profile profile;
	must(named_profile_init(&profile));
	describe(&profile, "python3 fetch.py");
	uint32_t clock = add_event(&profile, "cpu-clock", "nanoseconds", 200);
	uint32_t away = add_event(&profile, "off-cpu", "nanoseconds", 0);
	profile.events[away].period = 0;
	profile.events[away].is_wait = profile.events[away].is_ahead = true;
	uint32_t script = add_thread(&profile, 101, "python3"),
		 helper = add_thread(&profile, 102, "helper");
	uint32_t eval = add_function(&profile, "eval", "python3.11", "", 0, FRAME_NATIVE);
	uint32_t fetch =
		add_function(&profile, "fetch", "fetch.py", "fetch.py", 3, FRAME_INTERPRETED);
	uint32_t stack = STACK_NONE;
	for (uint32_t i = 0; i < INTERPRETER_ROWS; i++) {
		uint32_t frame = add_frame(&profile, eval, 0, false, 0x1000 + i);
		must(stack_table_push(&profile.stacks, stack, frame, &stack));
	}
	uint32_t line = add_frame(&profile, fetch, 4, false, 0);
	must(stack_table_push(&profile.stacks, stack, line, &stack));
	struct named_sample sample = {
		.time_ns = profile.start_time_ns,
		.weight = PERIOD_MS * NS_PER_MS,
		.count = 1,
		.stack = stack,
		.thread = script,
		.event = clock,
		.cpu = NAMED_NONE,
	};
	for (uint32_t ms = PERIOD_MS; ms <= 1000; ms += PERIOD_MS) {
		sample.time_ns = profile.start_time_ns + (uint64_t)ms * NS_PER_MS;
		if (ms <= 250 || ms > 750)
			must(named_profile_add(&profile, &sample));
	}
	sample.event = away;
	sample.time_ns = profile.start_time_ns + 250ull * NS_PER_MS;
	sample.weight = 500ull * NS_PER_MS;
	must(named_profile_add(&profile, &sample));
	sample.thread = helper;
	sample.weight = NS_PER_MS;
	for (uint32_t i = 0; i < WAITS; i++) {
		sample.time_ns = profile.start_time_ns + i * 4ull * NS_PER_MS;
		must(named_profile_add(&profile, &sample));
	}
	write_page(folder, "wait.html", &profile, &(struct report_page_options){.title = NULL});
	named_profile_deinit(&profile);
}

/** [state of the GIL][begin, end) of a thread, on its CPU or off it. */
static void add_gil_time(struct named_profile *profile, uint32_t event, uint32_t thread,
			 uint32_t stack, enum gil_state gil, uint32_t begin_ms, uint32_t end_ms)
{
	bool is_wait = profile->events[event].is_wait;
	for (uint32_t ms = begin_ms; ms < end_ms; ms += is_wait ? end_ms - begin_ms : 5) {
		struct named_sample sample = {
			// Work is seen when its time is over, a wait when it begins.
			.time_ns = profile->start_time_ns + (ms + (is_wait ? 0 : 5)) * 1000000ull,
			.weight = (is_wait ? end_ms - begin_ms : 5) * 1000000ull,
			.count = 1,
			.stack = stack,
			.thread = thread,
			.event = event,
			.cpu = NAMED_NONE,
			.gil = gil,
		};
		must(named_profile_add(profile, &sample));
	}
}

/** Two threads of a second: one computes with the GIL while the other waits for it, then sleeps. */
static void write_gil(const char *folder)
{
	struct named_profile profile;
	must(named_profile_init(&profile));
	describe(&profile, "python3 app.py");
	uint32_t clock = add_event(&profile, "cpu-clock", "nanoseconds", 200);
	uint32_t away = add_event(&profile, "off-cpu", "nanoseconds", 0);
	profile.events[away].period = 0;
	profile.events[away].is_wait = profile.events[away].is_ahead = true;
	uint32_t loader = add_thread(&profile, 101, "loader"),
		 main_thread = add_thread(&profile, 102, "main");
	uint32_t stacks[2];
	static const struct {
		const char *name, *file;
		uint32_t line;
	} calls[] = {{"compute", "app.py", 4}, {"wait", "app.py", 9}, {"<module>", "app.py", 20}};
	uint32_t frames[ARRAY_SIZE(calls)], outermost;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		uint32_t function =
			add_function(&profile, calls[i].name, calls[i].file, calls[i].file,
				     calls[i].line - 1, FRAME_INTERPRETED);
		frames[i] = add_frame(&profile, function, calls[i].line, false, 0);
	}
	must(stack_table_push(&profile.stacks, STACK_NONE, frames[2], &outermost));
	for (size_t i = 0; i < ARRAY_SIZE(stacks); i++)
		must(stack_table_push(&profile.stacks, outermost, frames[i], &stacks[i]));
	add_gil_time(&profile, clock, loader, stacks[0], GIL_HELD, 0, 600);
	add_gil_time(&profile, clock, loader, stacks[0], GIL_FREE, 600, 800);
	add_gil_time(&profile, away, loader, stacks[1], GIL_FREE, 800, 1000);
	add_gil_time(&profile, away, main_thread, stacks[1], GIL_WAITED, 0, 600);
	add_gil_time(&profile, clock, main_thread, stacks[0], GIL_HELD, 600, 800);
	add_gil_time(&profile, away, main_thread, stacks[1], GIL_FREE, 800, 1000);
	write_page(folder, "gil.html", &profile, &(struct report_page_options){.title = NULL});
	named_profile_deinit(&profile);
}

/** Weights of its three stacks. */
static void make_cxx(struct named_profile *profile, const uint32_t weights[3])
{
	must(named_profile_init(profile));
	describe(profile, "./words --count 3");
	uint32_t cycles = add_event(profile, "cycles", "events", 4000);
	uint32_t thread = add_thread(profile, 201, "words");
	static const struct {
		const char *name;
		bool is_inlined;
	} names[] = {
		{"main", false},
		{"text::Counter::add(std::__cxx11::basic_string<char, std::char_traits<char>, "
		 "std::allocator<char> > const&, unsigned long)",
		 false},
		{"void std::sort<__gnu_cxx::__normal_iterator<int*, std::vector<int, "
		 "std::allocator<int> > > >(int*, int*)",
		 false},
		{"std::hash<int>::operator()(int) const", true},
	};
	uint32_t frames[ARRAY_SIZE(names)], stacks[3], main_stack;
	for (uint32_t i = 0; i < ARRAY_SIZE(names); i++) {
		uint32_t function = add_function(profile, names[i].name, "words", "words.cpp",
						 10 * i + 10, FRAME_NATIVE);
		frames[i] =
			add_frame(profile, function, 10 * i + 11, names[i].is_inlined, 64 * i + 64);
	}
	must(stack_table_push(&profile->stacks, STACK_NONE, frames[0], &main_stack));
	must(stack_table_push(&profile->stacks, main_stack, frames[1], &stacks[0]));
	must(stack_table_push(&profile->stacks, main_stack, frames[2], &stacks[1]));
	must(stack_table_push(&profile->stacks, stacks[0], frames[3], &stacks[2]));
	for (uint32_t i = 0; i < ARRAY_SIZE(stacks); i++) {
		struct named_sample sample = {
			.time_ns = profile->start_time_ns + (200 + 300 * i) * 1000000ull,
			.weight = weights[i],
			.count = weights[i],
			.stack = stacks[i],
			.thread = thread,
			.event = cycles,
			.cpu = NAMED_NONE,
		};
		must(named_profile_add(profile, &sample));
	}
}

static void write_cxx(const char *folder)
{
	struct named_profile before, after;
	struct profile_join join;
	make_cxx(&before, (const uint32_t[]){500, 300, 200});
	make_cxx(&after, (const uint32_t[]){100, 300, 100});
	write_page(folder, "cxx.html", &before, &(struct report_page_options){.title = NULL});
	must(profile_join_add(&before, &after, &join));
	write_page(folder, "diff.html", &before,
		   &(struct report_page_options){.join = &join,
						 .recording_names = {"a/old.data", "b/new.data"}});
	named_profile_deinit(&before);
	named_profile_deinit(&after);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: make_pages FOLDER\n");
		return 2;
	}
	write_truth(argv[1]);
	write_ratio(argv[1], "ratio.html", false);
	write_ratio(argv[1], "ratio_late.html", true);
	write_demo(argv[1]);
	write_spe(argv[1]);
	write_wait(argv[1]);
	write_gil(argv[1]);
	write_cxx(argv[1]);
	write_large(argv[1]);
	return 0;
}
