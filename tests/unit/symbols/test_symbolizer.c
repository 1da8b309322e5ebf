// SPDX-License-Identifier: Apache-2.0

#include "symbols/symbolizer.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "object/line_image/line_image.h"
#include "object/object.h"
#include "record/perf_data/perf_data.h"
#include "tests/unit/assert_error.h"
#include "tests/unit/jitdump_bytes.h"
#include "tests/unit/object_fixture.h"

enum { NO_PROCESS = 4100000001U }; // more than any system has

/** A symbolizer with the profile that it fills. */
struct names {
	struct named_profile profile;
	struct symbolizer *symbolizer;
};

static void names_init(struct names *names, const struct symbolizer_config *config)
{
	assert_no_error(named_profile_init(&names->profile));
	assert_no_error(symbolizer_create(config, &names->symbolizer));
}

static void names_deinit(struct names *names)
{
	symbolizer_destroy(names->symbolizer);
	named_profile_deinit(&names->profile);
}

static const char *text(const struct names *names, uint32_t string)
{
	return named_profile_text(&names->profile, string);
}

/** The innermost frame. */
static const struct named_frame *frame_at(struct names *names, const struct module *module,
					  uint64_t address)
{
	const uint32_t *frames;
	size_t num_frames;
	assert_no_error(symbolizer_resolve(names->symbolizer, &names->profile, module, address,
					   &frames, &num_frames));
	assert_true(num_frames > 0);
	return &names->profile.frames[frames[0]];
}

static const struct named_function *function_at(struct names *names, const struct module *module,
						uint64_t address)
{
	// First the frame: what it adds may move the functions.
	uint32_t function = frame_at(names, module, address)->function;
	return &names->profile.functions[function];
}

static const char *name_at(struct names *names, const struct module *module, uint64_t address)
{
	return text(names, function_at(names, module, address)->name);
}

static struct module module_of(const char *path)
{
	struct stat status;
	assert_int_equal(stat(path, &status), 0);
	return (struct module){.kind = MODULE_FILE, .path = path, .inode = status.st_ino};
}

/** The place in its file of an address of our own memory. */
static uint64_t file_offset(const struct link_map *map, const void *address)
{
	const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)map->l_addr;
	const ElfW(Phdr) *segments = (const ElfW(Phdr) *)((const char *)header + header->e_phoff);
	uint64_t relative = (uintptr_t)address - map->l_addr;
	for (unsigned i = 0; i < header->e_phnum; i++)
		if (segments[i].p_type == PT_LOAD && relative >= segments[i].p_vaddr &&
		    relative - segments[i].p_vaddr < segments[i].p_filesz)
			return relative - segments[i].p_vaddr + segments[i].p_offset;
	fail_msg("not in the file");
	return 0;
}

/** The same function: one of the names that stand at its address. */
static void test_functions_of_the_c_library(void **state)
{
	struct symbolizer_config config = {0};
	_cleanup_(names_deinit) struct names names = {0};
	names_init(&names, &config);
	static const char *const functions[] = {"malloc", "qsort", "printf", "getenv", "strtol"};
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		void *library = dlopen("libc.so.6", RTLD_NOW);
		void *address = dlsym(library, functions[i]);
		Dl_info info;
		struct link_map *map;
		assert_true(dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) != 0);
		struct module module = module_of(map->l_name);
		const char *name = name_at(&names, &module, file_offset(map, address) + 1);
		assert_ptr_equal(dlsym(library, name) ? dlsym(library, name) : address, address);
		assert_string_not_equal(name, "[unknown]");
		dlclose(library);
	}
	assert_int_equal(names.profile.num_modules, 1);
	assert_string_equal(text(&names, names.profile.modules[0].name), "libc.so.6");
}

/** What the recording does not say, the file does. */
static void test_the_build_id_of_the_file(void **state)
{
	struct symbolizer_config config = {0};
	_cleanup_(names_deinit) struct names names = {0};
	names_init(&names, &config);
	Dl_info info;
	struct link_map *map;
	uint8_t id[RECORD_BUILD_ID_MAX];
	char digits[2 * RECORD_BUILD_ID_MAX + 1] = "";
	void *library = dlopen("libc.so.6", RTLD_NOW);
	assert_true(dladdr1(dlsym(library, "malloc"), &info, (void **)&map, RTLD_DL_LINKMAP) != 0);
	_cleanup_(object_destroyp) struct object *object = NULL;
	assert_no_error(object_open(map->l_name, "", &object));
	size_t size = object_build_id(object, id);
	if (!size)
		skip();
	for (size_t i = 0; i < size; i++)
		snprintf(digits + 2 * i, sizeof(digits) - 2 * i, "%02x", id[i]);
	struct module module = module_of(map->l_name);
	uint64_t place = file_offset(map, dlsym(library, "malloc"));
	name_at(&names, &module, place);
	assert_string_equal(text(&names, names.profile.modules[0].build_id), digits);
	// Another file by that name has another one, and names nothing.
	_cleanup_(names_deinit) struct names others = {0};
	names_init(&others, &config);
	module.inode++;
	name_at(&others, &module, place);
	assert_string_equal(text(&others, others.profile.modules[0].build_id), "");
	dlclose(library);
}

static void test_the_vdso(void **state)
{
	struct symbolizer_config config = {.is_this_kernel = true};
	_cleanup_(names_deinit) struct names names = {0};
	names_init(&names, &config);
	const char *image = (const char *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
	void *library = dlopen("linux-vdso.so.1", RTLD_NOW | RTLD_NOLOAD);
	if (!image || !library)
		skip();
	const char *function = dlsym(library, "__vdso_clock_gettime");
	struct module module = {.kind = MODULE_VDSO, .path = "[vdso]"};
	const char *name = name_at(&names, &module, (uint64_t)(function - image));
	assert_non_null(strstr(name, "clock_gettime"));
	assert_string_equal(text(&names, names.profile.modules[0].name), "[vdso]");
}

static void test_the_kernel(void **state)
{
	struct symbolizer_config config = {.is_this_kernel = true};
	_cleanup_(names_deinit) struct names names = {0};
	names_init(&names, &config);
	char *line = run_in(state, "grep -m1 ' [tT] schedule$' /proc/kallsyms || echo 0");
	uint64_t address = strtoull(line, NULL, 16);
	free(line);
	if (!address)
		skip();
	struct module module = {.kind = MODULE_KERNEL, .path = ""};
	const struct named_function *function = function_at(&names, &module, address + 1);
	assert_string_equal(text(&names, function->name), "schedule");
	assert_int_equal(function->kind, FRAME_KERNEL);
	assert_string_equal(text(&names, names.profile.modules[function->module].name), "[kernel]");
}

static void test_another_kernel(void **state)
{
	struct symbolizer_config config = {0};
	_cleanup_(names_deinit) struct names names = {0};
	names_init(&names, &config);
	struct module module = {.kind = MODULE_KERNEL, .path = ""};
	assert_string_equal(name_at(&names, &module, 0xffffffff81000000), "[unknown]");
	const struct symbolizer_complaint *complaints;
	size_t num_complaints;
	assert_no_error(symbolizer_complaints(names.symbolizer, &complaints, &num_complaints));
	assert_int_equal(num_complaints, 1);
	assert_string_equal(complaints[0].module, "[kernel]");
	assert_string_equal(complaints[0].reason, "another kernel is running");
}

static void assert_complaint(struct names *names, const char *reason, bool has_hint)
{
	const struct symbolizer_complaint *complaints;
	size_t num_complaints;
	assert_no_error(symbolizer_complaints(names->symbolizer, &complaints, &num_complaints));
	assert_int_equal(num_complaints, 1);
	assert_string_equal(complaints[0].module, "[kernel]");
	assert_string_equal(complaints[0].reason, reason);
	assert_int_equal(complaints[0].hint && strstr(complaints[0].hint, "administrator"),
			 has_hint);
}

/** Where it was recorded the modules say, on any machine. */
static void test_the_kernel_of_windows(void **state)
{
	const struct module kernel = {.kind = MODULE_KERNEL, .path = ""};
	const struct module program = {.kind = MODULE_FILE, .path = "C:\\a.exe"};
	const struct module image = {.kind = MODULE_KERNEL_IMAGE, .path = "\\SystemRoot\\a.sys"};
	struct symbolizer_config config = {.is_this_kernel = true};
	_cleanup_(names_deinit) struct names hidden = {0};
	_cleanup_(names_deinit) struct names told = {0};
	names_init(&hidden, &config);
	assert_no_error(symbolizer_note_module(hidden.symbolizer, &program));
	assert_string_equal(name_at(&hidden, &kernel, 0xfffff80102000000), "[unknown]");
	assert_complaint(&hidden, "the recording does not say where kernel images were", true);
	names_init(&told, &config);
	assert_no_error(symbolizer_note_module(told.symbolizer, &image));
	assert_string_equal(name_at(&told, &kernel, 0xfffff80102000000), "[unknown]");
	assert_complaint(&told, "no kernel image there", false);
}

/** A place in the C library, which stands for an image of the kernel below a sysroot. */
static uint64_t link_kernel_image(void **state)
{
	void *library = dlopen("libc.so.6", RTLD_NOW);
	void *address = dlsym(library, "qsort");
	Dl_info info;
	struct link_map *map;
	assert_true(dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) != 0);
	assert_int_equal(symlink(map->l_name, path_in(state, "k.sys")), 0);
	uint64_t offset = file_offset(map, address);
	dlclose(library);
	return offset;
}

/** They are functions of the kernel, also where only the recording knows them. */
static void test_images_of_the_kernel(void **state)
{
	const struct module image = {.kind = MODULE_KERNEL_IMAGE, .path = "C:\\Windows\\k.sys"};
	const uint64_t offset = link_kernel_image(state) + 1;
	struct symbolizer_config config = {.sysroots = path_in(state, "")};
	_cleanup_(names_deinit) struct names names = {0};
	names_init(&names, &config);
	const struct named_function *function = function_at(&names, &image, offset);
	assert_string_equal(text(&names, function->name), "qsort");
	assert_int_equal(function->kind, FRAME_KERNEL);
	assert_string_equal(text(&names, names.profile.modules[function->module].name), "k.sys");

	_cleanup_(string_builder_deinit) struct string_builder bytes = STRING_BUILDER_INIT;
	assert_no_error(symbolizer_encode_names(names.symbolizer, false, &bytes));
	config = (struct symbolizer_config){
		.recorded_names = (const uint8_t *)bytes.text,
		.recorded_names_size = bytes.length,
	};
	_cleanup_(names_deinit) struct names elsewhere = {0};
	names_init(&elsewhere, &config);
	function = function_at(&elsewhere, &image, offset);
	assert_string_equal(text(&elsewhere, function->name), "qsort");
	assert_int_equal(function->kind, FRAME_KERNEL);
}

/** What whoever recorded could not open, nobody else can: where its code is was not known. */
static void test_an_unread_image_of_the_kernel(void **state)
{
	const struct module image = {.kind = MODULE_KERNEL_IMAGE, .path = "\\SystemRoot\\k.sys"};
	struct symbolizer_config config = {.sysroots = path_in(state, "")};
	_cleanup_(names_deinit) struct names names = {0};
	names_init(&names, &config);
	assert_string_equal(name_at(&names, &image, 0x1000), "[unknown]");
	const struct symbolizer_complaint *complaints;
	size_t num_complaints;
	assert_no_error(symbolizer_complaints(names.symbolizer, &complaints, &num_complaints));
	assert_int_equal(num_complaints, 1);
	assert_string_equal(complaints[0].module, "\\SystemRoot\\k.sys");
	assert_non_null(strstr(complaints[0].reason, "could not be read"));
}

static void assert_name_of(void **state, bool with_full_names, const char *function,
			   const char *expected)
{
	struct symbolizer_config config = {.with_full_names = with_full_names};
	_cleanup_(names_deinit) struct names names = {0};
	names_init(&names, &config);
	char *path = strdup(path_in(state, "mangled"));
	struct module module = module_of(path);
	_cleanup_(object_destroyp) struct object *object = NULL;
	assert_no_error(object_open(path, "", &object));
	const struct object_symbol *symbols;
	size_t num_symbols;
	assert_no_error(object_symbols(object, &symbols, &num_symbols));
	bool found = false;
	for (size_t i = 0; i < num_symbols; i++) {
		if (strcmp(symbols[i].name, function) != 0)
			continue;
		found = true;
		uint64_t first;
		assert_true(object_offset_to_address(object, 0, &first));
		// Text is in the file as far behind the first byte as in memory (ld -z noseparate).
		const struct named_function *named =
			function_at(&names, &module, symbols[i].address - first);
		assert_string_equal(text(&names, named->name), expected);
		const char *linkage = text(&names, named->linkage_name);
		assert_string_equal(linkage, strcmp(function, expected) ? function : "");
	}
	assert_true(found);
	free(path);
}

static void test_mangled_names(void **state)
{
	write_in(state, "m.c",
		 "int a(void) __asm__(\"_ZN2ns1fIiEEvPKc\"); int a(void) { return 1; }\n"
		 "int b(void) __asm__(\"_ZN4core3fmt5write17h0123456789abcdefE\");\n"
		 "int b(void) { return 2; }\n"
		 "int c(void) __asm__(\"_RNvCs1234_7mycrate3foo\"); int c(void) { return 3; }\n"
		 "int plain(void) { return 4; }\n"
		 "int main(void) { return 0; }\n");
	free(run_in(state, "gcc -Wl,-z,noseparate-code m.c -o mangled"));
	assert_name_of(state, false, "plain", "plain");
	assert_name_of(state, false, "_ZN2ns1fIiEEvPKc", "ns::f<int>");
	assert_name_of(state, true, "_ZN2ns1fIiEEvPKc", "void ns::f<int>(char const*)");
	assert_name_of(state, false, "_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write");
	assert_name_of(state, false, "_RNvCs1234_7mycrate3foo", "mycrate::foo");
}

static void test_lines_and_inlined_calls(void **state)
{
	write_in(state, "i.c",
		 "volatile int x;\n"
		 "static inline __attribute__((always_inline)) void inner(void)\n"
		 "{\n"
		 "	x++;\n"
		 "}\n"
		 "void outer(void)\n"
		 "{\n"
		 "	inner();\n"
		 "}\n"
		 "int main(void) { outer(); return 0; }\n");
	free(run_in(state, "gcc -g -O1 -fno-inline-functions -fcf-protection=none "
			   "-Wl,-z,noseparate-code i.c -o inlined"));
	char *said = run_in(state, "nm inlined | grep ' outer$'");
	uint64_t address = strtoull(said, NULL, 16);
	free(said);
	char *path = strdup(path_in(state, "inlined"));
	struct module module = module_of(path);
	struct symbolizer_config config = {.with_lines = true};
	_cleanup_(names_deinit) struct names names = {0};
	names_init(&names, &config);
	const uint32_t *frames;
	size_t num_frames;
	assert_no_error(symbolizer_resolve(names.symbolizer, &names.profile, &module, address,
					   &frames, &num_frames));
	assert_int_equal(num_frames, 2);
	static const struct {
		const char *name;
		uint32_t line, definition;
		bool is_inlined;
	} expected[] = {{"inner", 4, 2, true}, {"outer", 8, 6, false}};
	for (size_t i = 0; i < num_frames; i++) {
		const struct named_frame *frame = &names.profile.frames[frames[i]];
		const struct named_function *function = &names.profile.functions[frame->function];
		assert_string_equal(text(&names, function->name), expected[i].name);
		assert_int_equal(frame->line, expected[i].line);
		assert_int_equal(function->line, expected[i].definition);
		assert_int_equal(frame->is_inlined, expected[i].is_inlined);
		assert_int_equal(frame->address, address);
		assert_non_null(strstr(text(&names, frame->file), "/i.c"));
	}
	free(path);
}

static void test_code_made_at_run_time(void **state)
{
	char map_path[100];
	snprintf(map_path, sizeof(map_path), "/tmp/perf-%u.map", NO_PROCESS);
	FILE *file = fopen(map_path, "w");
	assert_non_null(file);
	fputs("5000 10 LazyCompile:*run /a.js:1\n6000 10 py::work:/x/y.py\n", file);
	assert_int_equal(fclose(file), 0);
	struct jitdump_bytes bytes = {0};
	jitdump_put_header(&bytes);
	jitdump_put_lines(&bytes, 0x1000, 0x100, "/a.js");
	jitdump_put_load(&bytes, 0x1000, 0x100, 1, "hot");
	char *path = strdup(path_in(state, "jit-4100000001.dump"));
	file = fopen(path, "w");
	assert_non_null(file);
	fwrite(bytes.data, bytes.size, 1, file);
	assert_int_equal(fclose(file), 0);

	struct symbolizer_config config = {.with_lines = true};
	_cleanup_(names_deinit) struct names names = {0};
	names_init(&names, &config);
	const struct language language = {.jit_mark = "py::"};
	names.profile.language = &language;
	struct module marker = {.kind = MODULE_FILE, .path = path, .pid = NO_PROCESS};
	assert_no_error(symbolizer_note_module(names.symbolizer, &marker));
	struct module module = {.kind = MODULE_MEMORY, .path = "//anon", .pid = NO_PROCESS};
	struct named_frame frame = *frame_at(&names, &module, 0x1080);
	unlink(map_path);
	assert_int_equal(frame.line, 11);
	assert_string_equal(text(&names, frame.file), "/a.js");
	const struct named_function *function = &names.profile.functions[frame.function];
	assert_string_equal(text(&names, function->name), "hot");
	assert_int_equal(function->kind, FRAME_JIT);
	assert_string_equal(name_at(&names, &module, 0x5004), "LazyCompile:*run /a.js:1");

	frame = *frame_at(&names, &module, 0x6004);
	function = &names.profile.functions[frame.function];
	assert_int_equal(function->kind, FRAME_INTERPRETED);
	assert_string_equal(text(&names, function->name), "work");
	assert_string_equal(text(&names, function->file), "/x/y.py");
	assert_int_equal(frame.address, 0);
	free(path);
}

static void test_unknown_places_keep_their_address(void **state)
{
	struct symbolizer_config config = {0};
	_cleanup_(names_deinit) struct names names = {0};
	names_init(&names, &config);
	struct module missing = {.kind = MODULE_FILE, .path = "/nowhere/x.so"};
	struct named_frame first = *frame_at(&names, &missing, 0x100);
	struct named_frame second = *frame_at(&names, &missing, 0x200);
	assert_int_equal(first.function, second.function);
	assert_int_equal(second.address, 0x200);
	struct named_function function = names.profile.functions[first.function];
	assert_string_equal(text(&names, function.name), "[unknown]");
	assert_string_equal(text(&names, names.profile.modules[function.module].name), "x.so");
	struct module unmapped = {.kind = MODULE_UNMAPPED, .path = "", .pid = NO_PROCESS};
	function = *function_at(&names, &unmapped, 0x5);
	assert_string_equal(text(&names, function.name), "[unknown]");
	assert_int_equal(function.module, NAMED_NONE);

	frame_at(&names, &missing, 0x200); // known already: counted once
	const struct symbolizer_complaint *complaints;
	size_t num_complaints;
	assert_no_error(symbolizer_complaints(names.symbolizer, &complaints, &num_complaints));
	assert_int_equal(num_complaints, 2);
	assert_string_equal(complaints[0].module, "/nowhere/x.so");
	assert_int_equal(complaints[0].num_places, 2);
	assert_string_equal(complaints[0].reason, "cannot open: No such file or directory");
	assert_string_equal(complaints[1].module, "[unmapped]");
}

/** No JIT compiler made it, though it is no file either. */
static void test_simulated_code_has_a_hint_of_its_own(void **state)
{
	struct symbolizer_config config = {0};
	_cleanup_(names_deinit) struct names names = {0};
	names_init(&names, &config);
	struct module simulated = {
		.kind = MODULE_MEMORY, .path = "[sim]/python_d.exe", .pid = NO_PROCESS};
	struct module memory = {.kind = MODULE_MEMORY, .path = "//anon", .pid = NO_PROCESS};
	assert_string_equal(name_at(&names, &simulated, 0x1000), "[unknown]");
	frame_at(&names, &simulated, 0x2000);
	frame_at(&names, &memory, 0x1000);
	const struct symbolizer_complaint *complaints;
	size_t num_complaints;
	assert_no_error(symbolizer_complaints(names.symbolizer, &complaints, &num_complaints));
	assert_int_equal(num_complaints, 2);
	assert_string_equal(complaints[0].reason, "the recording has no names of simulated code");
	assert_non_null(strstr(complaints[0].hint, "record again"));
	assert_non_null(strstr(complaints[1].hint, "JIT"));
}

/** What is said of a file in which nothing has a name. */
static void assert_nameless(void **state, const char *file, const char *reason, const char *hint)
{
	_cleanup_free_ char *path = strdup(path_in(state, file));
	struct module module = module_of(path);
	struct symbolizer_config config = {0};
	_cleanup_(names_deinit) struct names names = {0};
	names_init(&names, &config);
	assert_string_equal(name_at(&names, &module, 0x2000), "[unknown]");
	const struct symbolizer_complaint *complaints;
	size_t num_complaints;
	assert_no_error(symbolizer_complaints(names.symbolizer, &complaints, &num_complaints));
	assert_int_equal(num_complaints, 1);
	assert_string_equal(complaints[0].reason, reason);
	assert_non_null(strstr(complaints[0].hint, hint));
}

/** Where the tables for exceptions say that it begins. */
static void test_functions_of_stripped_files_are_told_apart(void **state)
{
	write_in(state, "n.c",
		 "int one(int x) { return x + 1; } int two(int x) { return x * 7; }\n"
		 "int main(int argc, char **argv) { return one(argc) + two(argc); }\n");
	_cleanup_free_ char *addresses =
		run_in(state, "gcc -O0 n.c -o nameless && nm nameless |"
			      " awk '/ (one|two)$/ { print $1 }' && strip -s nameless");
	char *rest;
	uint64_t one = strtoull(addresses, &rest, 16), two = strtoull(rest, NULL, 16);
	_cleanup_free_ char *path = strdup(path_in(state, "nameless"));
	struct module module = module_of(path);
	struct symbolizer_config config = {0};
	_cleanup_(names_deinit) struct names names = {0};
	names_init(&names, &config);
	char expected[2][64];
	snprintf(expected[0], sizeof(expected[0]), "[nameless+0x%" PRIx64 "]", one);
	snprintf(expected[1], sizeof(expected[1]), "[nameless+0x%" PRIx64 "]", two);
	// gcc puts code at the same place in the file and in memory.
	assert_string_equal(name_at(&names, &module, one), expected[0]);
	assert_string_equal(name_at(&names, &module, two - 1), expected[0]);
	assert_string_equal(name_at(&names, &module, two), expected[1]);
	assert_int_equal(frame_at(&names, &module, one)->function,
			 frame_at(&names, &module, one + 3)->function);
}

static bool lacks_name(struct names *names, const struct module *module, uint64_t address)
{
	bool lacks;
	assert_no_error(
		symbolizer_lacks_name(names->symbolizer, &names->profile, module, address, &lacks));
	return lacks;
}

/** Who knows more of code without a symbol may name it; a symbol goes first. */
static void test_ranges_have_a_name_where_there_is_no_symbol(void **state)
{
	write_in(state, "r.c",
		 "int one(int x) { return x + 1; } int two(int x) { return x * 7; }\n"
		 "int six(int x) { return x / 3; }\n"
		 "int main(int argc, char **argv) { return one(argc) + two(argc); }\n");
	_cleanup_free_ char *addresses =
		run_in(state, "gcc -O0 r.c -o named && strip -s named -o bare && nm named |"
			      " awk '/ (one|two|six)$/ { print $1 }' | sort");
	char *rest;
	uint64_t one = strtoull(addresses, &rest, 16), two = strtoull(rest, &rest, 16);
	uint64_t six = strtoull(rest, NULL, 16);
	const struct symbolizer_range ranges[] = {{one, two}, {six, six + 5}};
	static const char *const files[] = {"named", "bare"};
	for (int is_bare = 0; is_bare < 2; is_bare++) {
		_cleanup_free_ char *path = strdup(path_in(state, files[is_bare]));
		struct module module = module_of(path);
		struct symbolizer_config config = {0};
		_cleanup_(names_deinit) struct names names = {0};
		names_init(&names, &config);
		assert_int_equal(lacks_name(&names, &module, one), is_bare);
		assert_no_error(symbolizer_name_ranges(names.symbolizer, &names.profile, &module,
						       "[loop]", ranges, 2));
		assert_false(lacks_name(&names, &module, one));
		assert_string_equal(name_at(&names, &module, one), is_bare ? "[loop]" : "one");
		assert_string_equal(name_at(&names, &module, six), is_bare ? "[loop]" : "six");
		if (!is_bare)
			continue;
		assert_memory_equal(name_at(&names, &module, two), "[bare+0x", 8);
		uint32_t loop = frame_at(&names, &module, one + 1)->function;
		assert_int_equal(frame_at(&names, &module, six + 4)->function, loop);
	}
	struct module missing = {.kind = MODULE_FILE, .path = "/nowhere/python3"};
	struct symbolizer_config config = {0};
	_cleanup_(names_deinit) struct names names = {0};
	names_init(&names, &config);
	assert_false(lacks_name(&names, &missing, one));
}

static void test_stripped_files_are_told(void **state)
{
	write_in(state, "s.c", "int main(void) { return 0; }\n");
	free(run_in(state, "gcc -s -static-pie -Wl,--build-id=none s.c -o stripped"));
	assert_nameless(state, "stripped", "no symbols", "install the package");
}

static void test_stripped_files_of_windows_are_told(void **state)
{
	if (system("command -v x86_64-w64-mingw32-gcc >/dev/null"))
		skip();
	write_in(state, "s.c",
		 "EXPORT int one(void) { return 1; }\nint main(void) { return 0; }\n");
	free(run_in(state, "x86_64-w64-mingw32-gcc -s -DEXPORT= s.c -o stripped.exe &&"
			   " x86_64-w64-mingw32-gcc -s '-DEXPORT=__declspec(dllexport)' s.c"
			   " -o exporting.exe"));
	assert_nameless(state, "stripped.exe", "no symbols", "link with /debug");
	assert_nameless(state, "exporting.exe", "only exported functions", "link with /debug");
}

static const struct module python_module = {
	.kind = MODULE_FILE,
	.path = "/nowhere/job.data" LINE_IMAGE_SUFFIX,
	.build_id = {20, {1, 2, 3}},
};

/** @ret: to be freed. */
static void make_python_image(uint64_t addresses[static 3], char **ret, size_t *ret_size)
{
	static const struct line_image_line lines[] = {
		{"Käse.<locals>._Z3foov", "/srv/heiß.py", 3, 9, 7, false},
		{"[unknown Python]", "", 0, 0, 0, false},
		{"Käse.<locals>._Z3foov", "/srv/heiß.py", 3, 9, 7, true},
	};
	_cleanup_(line_image_deinit) struct line_image image = LINE_IMAGE_INIT;
	const struct line_image_language language = {0x14, "Python"}; // DW_LANG_Python
	for (size_t i = 0; i < 3; i++)
		assert_no_error(line_image_add(&image, &lines[i], &addresses[i]));
	assert_no_error(line_image_encode(&image, &language, OBJECT_MACHINE_AARCH64,
					  python_module.build_id.bytes, ret, ret_size));
}

static void test_lines_of_python(void **state)
{
	uint64_t addresses[3];
	_cleanup_free_ char *image = NULL;
	struct symbolizer_config config = {0};
	make_python_image(addresses, &image, &config.line_image_size);
	config.line_image = (const uint8_t *)image;
	_cleanup_(names_deinit) struct names names;
	names_init(&names, &config);
	const struct named_frame frame = *frame_at(&names, &python_module, addresses[0]);
	const struct named_function *function = &names.profile.functions[frame.function];
	assert_int_equal(function->kind, FRAME_INTERPRETED);
	assert_string_equal(text(&names, function->name), "Käse.<locals>._Z3foov");
	assert_string_equal(text(&names, function->file), "/srv/heiß.py");
	assert_string_equal(text(&names, names.profile.modules[function->module].name), "heiß.py");
	assert_int_equal(function->line, 3);
	assert_int_equal(frame.line, 7);
	assert_int_equal(frame.address, 0);
	// A caller is looked for one byte before, and is the same place.
	const struct named_frame *caller = frame_at(&names, &python_module, addresses[0] - 1);
	assert_memory_equal(caller, &frame, sizeof(frame));
	assert_false(caller->is_compiled);
	// What the JIT made is another place of the same line.
	const struct named_frame compiled = *frame_at(&names, &python_module, addresses[2]);
	assert_true(compiled.is_compiled);
	assert_int_equal(compiled.function, frame.function);
	assert_int_equal(compiled.line, 7);
	assert_int_equal(function_at(&names, &python_module, addresses[1])->kind,
			 FRAME_INTERPRETED);
	assert_string_equal(name_at(&names, &python_module, addresses[1]), "[unknown Python]");
	assert_string_equal(name_at(&names, &python_module, addresses[1] + 100), "[unknown]");
}

static void test_recording_without_its_lines_of_python(void **state)
{
	uint64_t addresses[3];
	_cleanup_free_ char *image = NULL;
	size_t size;
	const struct language language = {.name = "Python"};
	make_python_image(addresses, &image, &size);
	for (size_t cut = 0; cut < size; cut += cut < 100 ? 10 : 500) {
		struct symbolizer_config config = {.language = &language,
						   .line_image = (const uint8_t *)image,
						   .line_image_size = cut};
		_cleanup_(names_deinit) struct names names;
		const struct symbolizer_complaint *complaints;
		size_t num_complaints;
		names_init(&names, &config);
		name_at(&names, &python_module, addresses[0]);
		assert_no_error(
			symbolizer_complaints(names.symbolizer, &complaints, &num_complaints));
		if (cut)
			continue;
		assert_int_equal(num_complaints, 1);
		assert_string_equal(complaints[0].reason, "the recording has no Python lines");
	}
}

static double seconds_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/** Says how fast; each address is asked for twice, as the second time is the usual one. */
static void test_many_addresses_of_a_large_library(void **state)
{
	enum { NUM_ADDRESSES = 200000 };
	static const char path[] = "/usr/lib/x86_64-linux-gnu/libLLVM-14.so.1";
	if (access(path, R_OK) < 0)
		skip();
	struct module module = module_of(path);
	struct stat status;
	assert_int_equal(stat(path, &status), 0);
	struct symbolizer_config config = {0};
	_cleanup_(names_deinit) struct names names = {0};
	names_init(&names, &config);
	double start = seconds_now();
	frame_at(&names, &module, 0);
	double opened = seconds_now();
	print_message("opened in %.0f ms\n", 1e3 * (opened - start));
	for (int round = 0; round < 2; round++) {
		srand(1);
		start = seconds_now();
		for (int i = 0; i < NUM_ADDRESSES; i++)
			frame_at(&names, &module, (uint64_t)rand() % (uint64_t)status.st_size);
		print_message("round %d: %.2f million a second\n", round,
			      1e-6 * NUM_ADDRESSES / (seconds_now() - start));
	}
	assert_true(names.profile.num_functions > 1000);
}

/** In process 7 an image is mapped, with one method in it and two behind. */
enum { METHODS_IMAGE = 0x10000, METHODS_IMAGE_SIZE = 0x4000 };

static const struct perf_data_method methods[] = {
	{6, METHODS_IMAGE + 0x100, 0x10, "Other.Process()"},
	{7, METHODS_IMAGE + 0x100, 0x80, "Ahead.Of.Time()"},
	{7, 0x90000, 0x20, "Shop.Basket.Pack(int32)"},
	{7, 0x90020, 0x10, "Shop.Price()"},
};

static const struct symbolizer_config methods_config = {.methods = methods, .num_methods = 4};

static void map_image(struct process_table *processes, uint32_t pid, const char *path)
{
	const struct record map = {
		.kind = RECORD_MAP,
		.mode = RECORD_MODE_USER,
		.pid = pid,
		.tid = pid,
		.map = {.start = METHODS_IMAGE,
			.length = METHODS_IMAGE_SIZE,
			.path = path,
			.is_executable = true},
	};
	assert_no_error(process_table_apply(processes, &map));
}

static void test_methods_that_a_recording_names(void **state)
{
	_cleanup_(names_deinit) struct names names = {0};
	names_init(&names, &methods_config);
	const struct module unmapped = {.kind = MODULE_UNMAPPED, .path = "", .pid = 7};
	const struct module memory = {.kind = MODULE_MEMORY, .path = "//anon", .pid = 7};
	const struct module other = {.kind = MODULE_UNMAPPED, .path = "", .pid = 8};
	assert_string_equal(name_at(&names, &unmapped, 0x90000), "Shop.Basket.Pack(int32)");
	assert_string_equal(name_at(&names, &memory, 0x9001f), "Shop.Basket.Pack(int32)");
	assert_string_equal(name_at(&names, &memory, 0x9002f), "Shop.Price()");
	assert_string_equal(name_at(&names, &memory, 0x90030), "[unknown]");
	assert_string_equal(name_at(&names, &other, 0x90000), "[unknown]");
	const struct named_function *function = function_at(&names, &unmapped, 0x90004);
	assert_int_equal(function->kind, FRAME_JIT);
	assert_string_equal(text(&names, names.profile.modules[function->module].name), "[jit]");
}

static void test_methods_in_images(void **state)
{
	_cleanup_(names_deinit) struct names names = {0};
	_cleanup_(process_table_deinit) struct process_table processes = PROCESS_TABLE_INIT;
	map_image(&processes, 7, "C:\\Windows\\a.ni.dll");
	map_image(&processes, 6, "C:\\Windows\\b.ni.dll");
	names_init(&names, &methods_config);
	assert_no_error(symbolizer_place_methods(names.symbolizer, &processes));
	const struct module *image = &processes.modules.items[0];
	assert_string_equal(name_at(&names, image, 0x100), "Ahead.Of.Time()");
	assert_string_equal(name_at(&names, image, 0x17f), "Ahead.Of.Time()");
	assert_string_equal(name_at(&names, image, 0x180), "[unknown]");
	assert_string_equal(name_at(&names, &processes.modules.items[1], 0x108), "Other.Process()");
	const struct named_function *function = function_at(&names, image, 0x101);
	assert_int_equal(function->kind, FRAME_NATIVE);
	assert_string_equal(text(&names, names.profile.modules[function->module].name), "a.ni.dll");
}

static void test_methods_stay_in_recorded_names(void **state)
{
	_cleanup_(names_deinit) struct names names = {0}, again = {0};
	_cleanup_(process_table_deinit) struct process_table processes = PROCESS_TABLE_INIT;
	_cleanup_(string_builder_deinit) struct string_builder bytes = STRING_BUILDER_INIT;
	map_image(&processes, 7, "C:\\Windows\\a.ni.dll");
	names_init(&names, &methods_config);
	assert_no_error(symbolizer_place_methods(names.symbolizer, &processes));
	const struct module *image = &processes.modules.items[0];
	const struct module unmapped = {.kind = MODULE_UNMAPPED, .path = "", .pid = 7};
	name_at(&names, image, 0x100);
	name_at(&names, &unmapped, 0x90008);
	assert_no_error(symbolizer_encode_names(names.symbolizer, false, &bytes));
	const struct symbolizer_config config = {
		.recorded_names = (const uint8_t *)bytes.text,
		.recorded_names_size = bytes.length,
	};
	names_init(&again, &config);
	assert_string_equal(name_at(&again, image, 0x100), "Ahead.Of.Time()");
	assert_string_equal(name_at(&again, &unmapped, 0x90008), "Shop.Basket.Pack(int32)");
	assert_int_equal(function_at(&again, &unmapped, 0x90008)->kind, FRAME_JIT);
}

int symbolizer_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions_of_the_c_library),
		cmocka_unit_test(test_the_build_id_of_the_file),
		cmocka_unit_test(test_the_vdso),
		cmocka_unit_test(test_the_kernel),
		cmocka_unit_test(test_another_kernel),
		cmocka_unit_test(test_the_kernel_of_windows),
		cmocka_unit_test(test_images_of_the_kernel),
		cmocka_unit_test(test_an_unread_image_of_the_kernel),
		cmocka_unit_test(test_mangled_names),
		cmocka_unit_test(test_lines_and_inlined_calls),
		cmocka_unit_test(test_code_made_at_run_time),
		cmocka_unit_test(test_methods_that_a_recording_names),
		cmocka_unit_test(test_methods_in_images),
		cmocka_unit_test(test_methods_stay_in_recorded_names),
		cmocka_unit_test(test_unknown_places_keep_their_address),
		cmocka_unit_test(test_simulated_code_has_a_hint_of_its_own),
		cmocka_unit_test(test_functions_of_stripped_files_are_told_apart),
		cmocka_unit_test(test_ranges_have_a_name_where_there_is_no_symbol),
		cmocka_unit_test(test_stripped_files_are_told),
		cmocka_unit_test(test_stripped_files_of_windows_are_told),
		cmocka_unit_test(test_lines_of_python),
		cmocka_unit_test(test_recording_without_its_lines_of_python),
		cmocka_unit_test(test_many_addresses_of_a_large_library),
	};
	return cmocka_run_group_tests_name("symbolizer", tests, object_fixture_create,
					   object_fixture_destroy);
}
