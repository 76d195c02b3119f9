/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy_review.c - POST /admission/policy, the webhook for ConfigMaps that hold a policy: refuses
 * one that does not load, with file, line and column.  Each request loads its policy into a passive
 * engine of its own, which connects to nothing.  Files that the policy names are read, so
 * --validate-policies turns the endpoint on.
 */
#include <glib/gstdio.h>
#include <string.h>

#include "../common/auto.h"
#include "../common/help.h"
#include "../common/json_out.h"
#include "endpoint.h"
#include "service/policy_log.h"

/* A new directory with the files of a ConfigMap. */
typedef struct policy_files {
	char *directory;
	GPtrArray *paths;
} policy_files;

static void
remove_files(policy_files *files)
{
	for (guint i = 0; i < files->paths->len; i++)
		g_unlink(files->paths->pdata[i]);
	if (files->directory != NULL)
		g_rmdir(files->directory);
	g_ptr_array_unref(files->paths);
	g_free(files->directory);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(policy_files, remove_files)

/* Returns true for a key of a ConfigMap that names a file; others would leave the directory. */
static bool
is_file_name(const char *key)
{
	return key != NULL && key[0] != '.' && key[0] != '\0' &&
	       strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
	               strlen(key) && strlen(key) <= 253;
}

static bool
write_files(policy_files *files, const char *parent, limen_value data, fault *why)
{
	limen_value key, value;

	parent = parent == NULL ? g_get_tmp_dir() : parent;
	files->directory = g_build_filename(parent, "policy-XXXXXX", NULL);
	if (g_mkdir_with_parents(parent, 0700) != 0 || g_mkdtemp(files->directory) == NULL)
		return fault_set(why, 503, "cannot make a directory for the policy");
	for (limen_iter iter = limen_iter_start(data); limen_iter_next(&iter, &key, &value);) {
		const char *name = limen_value_string(key, NULL);
		size_t length = 0;
		const char *text = limen_value_string(value, &length);
		char *path;

		if (!is_file_name(name) || text == NULL)
			return fault_set(why, 400, "'data' of the ConfigMap must hold texts, by "
			                           "names of files");
		path = g_build_filename(files->directory, name, NULL);
		g_ptr_array_add(files->paths, path);
		if (!g_file_set_contents(path, text, (gssize)length, NULL))
			return fault_set(why, 503, "cannot write the policy to a file");
	}
	return true;
}

/* Returns what is wrong with the policy of the files, to g_free(); empty if it loads. */
static char *
find_problems(const service *shared, const policy_files *files)
{
	g_autofree char *module_path = help_module_path(shared->module_path);
	const limen_engine_options options = {
		.size = sizeof(options),
		.flags = LIMEN_ENGINE_PASSIVE | LIMEN_ENGINE_FOREIGN_TEXTS |
		         LIMEN_ENGINE_FOREIGN_POLICIES,
		.module_path = module_path,
	};
	g_autoptr(limen_engine) engine = limen_engine_new(&options);
	g_autoptr(limen_diag) diag = limen_diag_new();
	g_autofree char *prefix = g_strconcat(files->directory, "/", NULL);
	g_autofree char *reason = NULL;
	g_auto(GStrv) parts = NULL;
	int result;

	if (engine == NULL)
		return g_strdup(limen_result_text(LIMEN_ENOMEM));
	result = limen_engine_load(engine, files->directory, diag);
	reason = policy_log_reason(diag);
	if (result != LIMEN_OK && reason[0] == '\0')
		return g_strdup(limen_result_text(result));
	parts = g_strsplit(g_strchomp(reason), prefix, -1);
	return g_strjoinv("", parts);
}

static void
append_answer(GString *out, limen_value review, limen_value uid, const char *reason)
{
	json_write(out, "{apiVersion:v kind:s response:{uid:v allowed:b",
	           limen_value_get(review, "apiVersion"), "AdmissionReview", uid,
	           reason[0] == '\0');
	/* kubectl before 1.22 leaves out the message of code 422. */
	if (reason[0] != '\0')
		json_write(out, "status:{status:s code:d reason:s message:s}", "Failure", 403,
		           "Forbidden", reason);
	json_write(out, "}}");
	g_string_append_c(out, '\n');
}

bool
answer_policy_review(service *shared, const http_request *request, http_response *response,
                     fault *why)
{
	g_autoptr(limen_documents) parsed = NULL;
	g_auto(policy_files) files = { .paths = g_ptr_array_new_with_free_func(g_free) };
	g_autofree char *reason = NULL;
	limen_value review, uid, object;

	if (!shared->validates_policies)
		return fault_set(why, 403, "Policies are not validated (--validate-policies)");
	if (limen_documents_parse("review.json", request->body, request->length, 0, &parsed,
	                          NULL) != LIMEN_OK)
		return fault_set(why, 400, "the body is not JSON");
	review = limen_documents_get(parsed, 0);
	uid = limen_value_get(limen_value_get(review, "request"), "uid");
	object = limen_value_get(limen_value_get(review, "request"), "object");
	if (limen_value_string(uid, NULL) == NULL ||
	    limen_value_type(limen_value_get(object, "data")) != LIMEN_TYPE_OBJECT)
		return fault_set(why, 400, "the body is no AdmissionReview of a ConfigMap with 'data'");
	if (!write_files(&files, shared->validate_directory, limen_value_get(object, "data"), why))
		return false;
	reason = find_problems(shared, &files);
	append_answer(response->body, review, uid, reason);
	return true;
}
