// SPDX-License-Identifier: Apache-2.0

#include "object/fetch/symbol_server.h"

#include "base/file/file_map.h"
#include "base/file/file_path.h"
#include "base/os/random_bytes.h"
#include "base/text/url_text.h"
#include "object/pdb/pdb_file.h"

#include <errno.h>
#include <string.h>

// The protocol of Microsoft's symbol servers (SymSrv): GET URL/NAME/GUID AGE/NAME. The answer goes
// to a draft beside its place in the folder, is opened and compared with the GUID and age
// (check_draft()), and only then renamed: another process never sees half a file, and a wrong or
// damaged answer is never kept.
//
// The name of the PDB comes from an untrusted image. is_file_name() lets nothing through that
// could leave the folder, on any system, and url_text_append() nothing that could
// change the URL. Servers are slow where they do not answer: one failure silences the server for
// the run, and no PDB is asked for twice (is_new()). After 404 two questions more find out if there
// is a compressed file or a redirection, which we do not support, to tell the user.

enum {
	HTTP_OK = 200,
	HTTP_BAD_REQUEST = 400, /* from here on there is no such thing, or not for us */
	HTTP_NOT_FOUND = 404,
	HTTP_GONE = 410,
	MAX_NAME_LENGTH = 200, /* file systems have 255; behind it stands the draft's mark */
};

/** One PDB that is asked for. */
struct question {
	struct symbol_server *server;
	const char *name;
	const struct pe_pdb_id *id;
	struct string_builder path;  /* in the folder */
	struct string_builder draft; /* beside it, until it is known to be the right one */
	bool is_nameless;            /* the draft gets its name when it is complete */
};

static void question_deinit(struct question *question)
{
	string_builder_deinit(&question->path);
	string_builder_deinit(&question->draft);
}

void symbol_server_init(struct symbol_server *server, const char *url, const char *folder,
			const struct http_limits *limits)
{
	*server = (struct symbol_server){.url = url, .folder = folder, .limits = *limits};
}

void symbol_server_deinit(struct symbol_server *server)
{
	string_table_deinit(&server->asked);
	string_builder_deinit(&server->notes);
}

static void append_id(struct string_builder *text, const struct pe_pdb_id *id)
{
	uint8_t guid[PE_GUID_SIZE];
	size_t size = pe_pdb_id_bytes(id, guid);
	for (size_t i = 0; i < size; i++)
		string_builder_appendf(text, "%02X", guid[i]);
	string_builder_appendf(text, "%X", id->age);
}

void symbol_server_append_place(struct string_builder *text, const char *name,
				const struct pe_pdb_id *id)
{
	string_builder_appendf(text, "%s/", name);
	append_id(text, id);
	string_builder_appendf(text, "/%s", name);
}

static void symbol_server_note(struct symbol_server *server, const char *words, const char *on,
			       const char *reason)
{
	string_builder_appendf(&server->notes, "note: symbol server %s%s%s%s%s\n", server->url,
			       words, on, *reason ? ": " : "", reason);
}

/** A name that is a file's and nothing else, on any system. */
static bool is_file_name(const char *name)
{
	size_t length = strlen(name);
	if (!length || length > MAX_NAME_LENGTH || name[0] == '.' || strpbrk(name, "/\\:*?\"<>|"))
		return false;
	for (; *name; name++)
		if ((unsigned char)*name < ' ' || *name == 0x7f)
			return false;
	return true;
}

static struct error *symbol_server_open_draft(struct question *question, FILE **ret)
{
	uint64_t number;
	struct error *err = random_bytes_fill(&number, sizeof(number));
	if (err)
		return err;
	string_builder_appendf(&question->path, "%s/", question->server->folder);
	symbol_server_append_place(&question->path, question->name, question->id);
	string_builder_appendf(&question->draft, "%s.%016llx", string_builder_peek(&question->path),
			       (unsigned long long)number);
	if (question->path.failed || question->draft.failed)
		return &error_no_memory;
	// Without a name where that is possible: of a process that is killed, gigabytes could stay.
	const char *draft = question->draft.text;
	bool has_folders = file_path_make_folders(draft);
	*ret = has_folders ? file_path_create_nameless(draft) : NULL;
	question->is_nameless = *ret != NULL;
	if (has_folders && !*ret)
		*ret = file_path_open(draft, "w");
	return *ret ? NULL : error_create_errno(errno, "cannot write '%s'", question->draft.text);
}

/** @file: the last part, of which there may be other forms than the PDB itself. */
static struct error *symbol_server_ask(const struct question *question, const char *file,
				       FILE *into, struct http_answer *ret)
{
	struct symbol_server *server = question->server;
	_cleanup_(string_builder_deinit) struct string_builder url = STRING_BUILDER_INIT;
	string_builder_appendf(&url, "%s/", server->url);
	url_text_append(&url, question->name);
	string_builder_append(&url, "/");
	append_id(&url, question->id);
	string_builder_append(&url, "/");
	url_text_append(&url, file);
	if (url.failed)
		return &error_no_memory;
	struct error *err = http_fetch(url.text, &server->limits, into, ret);
	if (!err || err->code == ERROR_NO_MEMORY)
		return err;
	server->is_silent = true;
	symbol_server_note(server, " is not used any more in this run", "", err->message);
	if (err->hint)
		string_builder_appendf(&server->notes, "hint: %s\n", err->hint);
	error_destroy(err);
	ret->status = 0;
	return NULL;
}

/** Servers may have a file in two other forms. */
static struct error *look_for_other_forms(const struct question *question)
{
	char packed[MAX_NAME_LENGTH + 1];
	strcpy(packed, question->name);
	packed[strlen(packed) - 1] = '_';
	const struct {
		const char *file, *words;
	} forms[] = {
		{packed, " has only a compressed file, which wperf cannot read, for "},
		{"file.ptr",
		 " has only a redirection (file.ptr), which wperf does not follow, for "},
	};
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		struct http_answer answer = {0};
		struct error *err = symbol_server_ask(question, forms[i].file, NULL, &answer);
		if (err || question->server->is_silent)
			return err;
		if (answer.status == HTTP_OK)
			symbol_server_note(question->server, forms[i].words, question->name, "");
	}
	return NULL;
}

/** Is the draft the PDB that was asked for? */
static struct error *check_draft(const struct question *question, bool *ret)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	_cleanup_(pdb_file_deinit) struct pdb_file pdb = PDB_FILE_INIT;
	struct error *err = file_map_open(&map, question->draft.text);
	if (!err)
		err = pdb_file_init(&pdb, NULL, map.data ? map.data : "", map.size, question->name);
	*ret = !err && pe_pdb_id_is_same(&pdb.id, question->id);
	if (!err && !*ret)
		symbol_server_note(question->server, " sent a PDB of a different build for ",
				   question->name, "");
	if (err && err->code != ERROR_NO_MEMORY) {
		symbol_server_note(question->server, " sent a file that is not a PDB", "",
				   err->message);
		error_destroy(err);
		err = NULL;
	}
	return err;
}

static struct error *symbol_server_keep(struct question *question, uint64_t num_bytes, char **ret)
{
	struct symbol_server *server = question->server;
	bool is_right;
	struct error *err = check_draft(question, &is_right);
	if (err || !is_right)
		return err;
	if (!file_path_rename(question->draft.text, question->path.text)) {
		symbol_server_note(server, ": cannot write ", question->path.text, strerror(errno));
		return NULL;
	}
	server->num_files++;
	server->num_bytes += num_bytes;
	return string_builder_finish(&question->path, ret);
}

static struct error *symbol_server_judge(struct question *question,
					 const struct http_answer *answer, char **ret)
{
	struct symbol_server *server = question->server;
	if (server->is_silent)
		return NULL;
	if (answer->status == HTTP_NOT_FOUND || answer->status == HTTP_GONE)
		return look_for_other_forms(question);
	if (answer->is_too_large) {
		symbol_server_note(server, ": PDB is too large: ", question->name, "");
		return NULL;
	}
	if (answer->status == HTTP_OK)
		return symbol_server_keep(question, answer->num_bytes, ret);
	string_builder_appendf(&server->notes,
			       "note: symbol server %s returned HTTP status %d for %s\n",
			       server->url, answer->status, question->name);
	return NULL;
}

static struct error *symbol_server_load(struct question *question, char **ret)
{
	FILE *stream;
	struct http_answer answer = {0};
	struct error *err = symbol_server_open_draft(question, &stream);
	if (err)
		return err;
	err = symbol_server_ask(question, question->name, stream, &answer);
	// Errors of writing may show only when the stream is flushed or closed: on a full disk.
	bool is_whole = !ferror(stream) && fflush(stream) == 0;
	if (question->is_nameless)
		is_whole = is_whole && file_path_give_name(stream, question->draft.text);
	is_whole &= fclose(stream) == 0;
	if (!err && !is_whole && !question->server->is_silent)
		err = error_create_errno(errno, "cannot write '%s'", question->draft.text);
	if (!err)
		err = symbol_server_judge(question, &answer, ret);
	if (!*ret)
		file_path_remove(question->draft.text);
	return err;
}

/** Is it the first time that the server is asked for it? */
static struct error *is_new(const struct question *question, bool *ret)
{
	_cleanup_(string_builder_deinit) struct string_builder place = STRING_BUILDER_INIT;
	symbol_server_append_place(&place, question->name, question->id);
	if (place.failed)
		return &error_no_memory;
	struct string_table *asked = &question->server->asked;
	size_t num_before = asked->num_entries;
	uint32_t id;
	struct error *err = string_table_intern(asked, place.text, &id);
	*ret = asked->num_entries > num_before;
	return err;
}

struct error *symbol_server_fetch(struct symbol_server *server, const char *name,
				  const struct pe_pdb_id *id, char **ret)
{
	_cleanup_(question_deinit) struct question question = {
		.server = server,
		.name = name,
		.id = id,
	};
	*ret = NULL;
	if (server->is_silent || !is_file_name(name))
		return NULL;
	bool is_first;
	struct error *err = is_new(&question, &is_first);
	if (!err && is_first)
		err = symbol_server_load(&question, ret);
	if (!err || err->code == ERROR_NO_MEMORY)
		return err;
	symbol_server_note(server, " is not used any more in this run", "", err->message);
	server->is_silent = true;
	error_destroy(err);
	return NULL;
}
