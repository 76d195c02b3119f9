/* SPDX-License-Identifier: Apache-2.0 */
/*
 * audit_input.c - reads the objects of files, of standard input and of a cluster, one at a time.
 * A cluster is asked through kubectl, which knows every way to sign in.
 */
#include <errno.h>
#include <glib/gstdio.h>
#include <limen/documents.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "audit.h"
#include "common/auto.h"
#include "cli/input.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/sources.h"
#include "common/json_out.h"
#include "common/member.h"
#include "policy/policy.h"
#include "policy/problems.h"

/* Objects of a cluster that are asked for at once, as kubectl does. */
#define PAGE "500"

/* A server that answers no more ends the audit; it closes requests after a minute itself. */
#define PAGE_TIMEOUT "2m"

/* ---- the options ---- */

audit
audit_new(common_options *common)
{
	return (audit){
		.common = common,
		.spool = -1,
		.ask = { .subject = ASK_OBJECT,
		         .dry_run = TRUE,
		         .decide = { .size = sizeof(limen_decide_options), .trace = true } },
	};
}

void
audit_end(audit *run)
{
	if (run->spool >= 0)
		close(run->spool);
}

const char *
audit_find_input_error(audit *run)
{
	run->ask.namespace = run->namespace;
	if (run->cluster && run->files != NULL)
		return "--cluster takes no files";
	if (!run->cluster && run->files == NULL)
		return "missing argument: FILE, or --cluster";
	if (!run->cluster && (run->kubeconfig != NULL || run->context != NULL))
		return "--kubeconfig and --context are for --cluster";
	if (run->namespace != NULL && !g_utf8_validate(run->namespace, -1, NULL))
		return "the namespace is not UTF-8";
	return NULL;
}

/* State while the input is read. */
typedef struct reading {
	audit *run;
	audit_take take;
	void *data;
	const char *name; /* of the file that is read */
	const char *only; /* an object without this word is skipped unread; NULL: none */
	char *next;       /* of a list without items, as of a stream, or NULL */
	progress bar;
	size_t bytes;     /* of the files before this one */
	size_t objects;
} reading;

static void
report(reading *from, unsigned line, const char *why)
{
	progress_clear();
	if (line > 0)
		message_error("%s:%u: %s", from->name, line, why);
	else
		message_error("%s: %s", from->name, why);
	from->run->status = STATUS_ERROR;
}

/* ---- streams ---- */

/* Parses one object and gives it to the caller of audit_read(). */
static void
take_text(reading *from, const object_text *text)
{
	g_autoptr(limen_diag) diag = policy_diag();
	g_autoptr(limen_documents) parsed = NULL;
	const audit *run = from->run;
	limen_value value, metadata;
	audit_object object;
	const limen_problem *problem;

	if (limen_documents_parse(text->json ? "object.json" : "object.yaml", text->text, text->length,
	                          0, &parsed, diag) != LIMEN_OK) {
		problem = limen_diag_get(diag, 0);
		report(from, text->line + (problem == NULL || problem->line == 0 ? 0 : problem->line - 1),
		       problem == NULL ? "out of memory" : problem->text);
		return;
	}
	if (limen_documents_count(parsed) == 0)
		return;
	value = limen_documents_get(parsed, 0);
	metadata = limen_value_get(value, "metadata");
	object = (audit_object){
		.value = value,
		.api = member_text_or(value, "apiVersion", text->api),
		.kind = member_text_or(value, "kind", text->kind),
		.name = member_text_or(metadata, "name", member_text_or(metadata, "generateName", "")),
		.namespace = member_text_or(metadata, "namespace",
		                            run->namespace == NULL ? "default" : run->namespace),
		.line = text->line,
	};
	if (limen_value_type(limen_value_get(value, "items")) == LIMEN_TYPE_NULL) {
		g_free(from->next);
		from->next = g_strdup(member_text_or(metadata, "continue", ""));
	}
	if (object.api == NULL || object.kind == NULL)
		report(from, text->line, object.kind == NULL ? "the object has no 'kind'"
		                                             : "the object has no 'apiVersion'");
	else
		from->take(from->run, from->data, from->name, &object);
	from->objects++;
}

/* Reads a stream.  Returns where the next page begins, as its 'next', to g_free(). */
static char *
read_stream(reading *from, int fd)
{
	object_stream stream = object_stream_start(fd);
	object_text text = { .text = NULL };
	object_result result;
	char *next;

	while ((result = object_stream_next(&stream, &text)) == OBJECT_FOUND) {
		if (from->only == NULL || g_strcmp0(text.kind, from->only) == 0 ||
		    memmem(text.text, text.length, from->only, strlen(from->only)) != NULL)
			take_text(from, &text);
		progress_update(&from->bar, from->bytes + stream.total, from->objects, "objects");
	}
	if (result == OBJECT_FAILED)
		report(from, 0, stream.error);
	from->bytes += stream.total;
	next = g_steal_pointer(&stream.next);
	if (next == NULL)
		next = g_steal_pointer(&from->next);
	g_clear_pointer(&from->next, g_free);
	object_stream_clear(&stream);
	return next;
}

/* ---- files ---- */

/* Copies standard input into a file without a name, since it is read twice.  Returns false: no. */
static bool
spool(audit *run, char **why)
{
	g_autofree char *path = NULL;
	g_autoptr(GError) error = NULL;
	char block[1 << 16];
	ssize_t got = 1;

	run->spool = g_file_open_tmp("limen-audit-XXXXXX", &path, &error);
	if (run->spool < 0) {
		*why = g_strdup(error->message);
		return false;
	}
	g_unlink(path);
	while (got > 0) {
		got = read(STDIN_FILENO, block, sizeof(block));
		if (got < 0 && errno == EINTR)
			got = 1;
		else if (got < 0 || (got > 0 && write(run->spool, block, (size_t)got) != got))
			break;
	}
	if (got != 0)
		*why = g_strdup_printf("standard input: %s", g_strerror(errno));
	return got == 0;
}

static int
open_input(audit *run, const char *path, char **why)
{
	int fd;

	if (!input_is_stdin(path) || run->policies != NULL) {
		fd = input_open(path, why);
		if (fd < 0 || run->policies != NULL || lseek(fd, 0, SEEK_CUR) >= 0)
			return fd;
		close(fd);
		*why = g_strdup_printf("%s: a pipe cannot be read twice; use - for standard input",
		                       path);
		return -1;
	}
	if (run->spool < 0 && !spool(run, why))
		return -1;
	if (lseek(run->spool, 0, SEEK_SET) < 0)
		return -1;
	return dup(run->spool);
}

static void
read_files(reading *from)
{
	g_autoptr(GPtrArray) paths = sources_expand(from->run->files);

	g_ptr_array_add(paths, NULL);
	progress_start(&from->bar, progress_measure((char **)paths->pdata), false);
	for (guint i = 0; paths->pdata[i] != NULL; i++) {
		g_autofree char *why = NULL;
		int fd = open_input(from->run, paths->pdata[i], &why);

		from->name = input_name(paths->pdata[i]);
		if (fd < 0) {
			message_error("%s", why == NULL ? g_strerror(errno) : why);
			from->run->status = STATUS_ERROR;
			continue;
		}
		g_free(read_stream(from, fd));
		close(fd);
	}
}

/* ---- a cluster ---- */

/* Kinds of a cluster; where servers below 1.21 have CronJobs. */
typedef struct resource {
	const char *path;
	const char *older; /* asked if there is no 'path'; NULL: nothing */
} resource;

/*
 * Runs kubectl for a page of 'path'.  Returns false if that fails, after messages of kubectl unless
 * 'quiet'.  Stores in '*next' where the next page begins, to g_free(); "" if there is none.
 */
static bool
read_page(reading *from, const char *path, bool quiet, char **next)
{
	const char *const words[][2] = { { "kubectl", "--request-timeout=" PAGE_TIMEOUT },
		                         { "--kubeconfig", from->run->kubeconfig },
		                         { "--context", from->run->context },
		                         { "get", "--raw" } };
	g_autoptr(GPtrArray) arguments = g_ptr_array_new();
	g_autoptr(GError) error = NULL;
	int status = 0;
	int fd = -1;
	GPid child;

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		for (size_t k = 0; words[i][1] != NULL && k < G_N_ELEMENTS(words[i]); k++)
			g_ptr_array_add(arguments, (char *)words[i][k]);
	g_ptr_array_add(arguments, (char *)path);
	g_ptr_array_add(arguments, NULL);
	if (!g_spawn_async_with_pipes(NULL, (char **)arguments->pdata, NULL,
	                              G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD |
	                                      (quiet ? G_SPAWN_STDERR_TO_DEV_NULL : 0), NULL, NULL,
	                              &child, NULL, &fd, NULL, &error)) {
		message_error("--cluster asks through kubectl: %s", error->message);
		return false;
	}
	*next = read_stream(from, fd);
	close(fd);
	if (waitpid(child, &status, 0) != child || status != 0) {
		if (!quiet)
			message_error("kubectl get --raw '%s' failed", path);
		return false;
	}
	if (*next == NULL)
		message_error("kubectl get --raw '%s' printed no whole list", path);
	return *next != NULL;
}

/* Reads all pages of 'path': a part of it would be a wrong result. */
static bool
read_pages(reading *from, const char *path, bool quiet)
{
	g_autofree char *next = g_strdup("");

	do {
		g_autofree char *last = g_steal_pointer(&next);
		g_autofree char *token = g_uri_escape_string(last, NULL, false);
		g_autofree char *page = g_strconcat(path, "?limit=" PAGE,
		                                    last[0] == '\0' ? NULL : "&continue=", token, NULL);

		if (!read_page(from, page, quiet, &next))
			return false;
		quiet = false;
		if (next[0] != '\0' && strcmp(next, last) == 0) {
			message_error("the page '%s' goes on with itself", page);
			return false;
		}
	} while (next[0] != '\0');
	return true;
}

static void
read_cluster(reading *from, const resource *resources)
{
	from->name = "the cluster";
	progress_start(&from->bar, 0, false);
	for (; resources->path != NULL && from->run->status == STATUS_GOOD; resources++)
		if (!read_pages(from, resources->path, resources->older != NULL) &&
		    (resources->older == NULL || !read_pages(from, resources->older, false)))
			from->run->status = STATUS_ERROR;
}

/* ---- all of it ---- */

static void
read_all(reading *from, const resource *resources)
{
	if (from->run->cluster)
		read_cluster(from, resources);
	else
		read_files(from);
	progress_end(&from->bar);
}

void
audit_read(audit *run, audit_take take, void *data)
{
	static const resource resources[] = {
		{ "/api/v1/resourcequotas", NULL },
		{ "/apis/apps/v1/replicasets", NULL },
		{ "/apis/batch/v1/jobs", NULL },
		{ "/apis/apps/v1/deployments", NULL },
		{ "/apis/apps/v1/statefulsets", NULL },
		{ "/apis/apps/v1/daemonsets", NULL },
		{ "/apis/batch/v1/cronjobs", "/apis/batch/v1beta1/cronjobs" },
		{ "/api/v1/replicationcontrollers", NULL },
		{ "/api/v1/persistentvolumeclaims", NULL },
		{ "/api/v1/pods", NULL },
		{ NULL, NULL },
	};
	reading from = { .run = run, .take = take, .data = data };

	read_all(&from, resources);
}

/* Adds a LimitRange to the list that becomes the policy. */
static void
keep_range(audit *run, void *data, const char *name, const audit_object *object)
{
	GString *list = data;
	limen_value limits = limen_value_get(limen_value_get(object->value, "spec"), "limits");

	(void)run;
	(void)name;
	if (strcmp(object->kind, "LimitRange") != 0 || strcmp(object->api, "v1") != 0)
		return;
	json_write(list, "{apiVersion:s kind:s metadata:v spec:{", "v1", "LimitRange",
	           limen_value_get(object->value, "metadata"));
	/* A cluster shows an empty list as null. */
	if (limen_value_type(limits) <= LIMEN_TYPE_NULL)
		json_write(list, "limits:[]}}");
	else
		json_write(list, "limits:v}}", limits);
}

bool
audit_load_met(audit *run, limen_engine *engine)
{
	static const resource resources[] = { { "/api/v1/limitranges", NULL }, { NULL, NULL } };
	g_autoptr(GString) list = g_string_new("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[");
	g_autoptr(limen_diag) diag = policy_diag();
	reading from = { .run = run, .take = keep_range, .data = list, .only = "LimitRange" };
	bool none;

	read_all(&from, resources);
	none = list->str[list->len - 1] == '[';
	g_string_append(list, "]}");
	if (none && run->status == STATUS_GOOD)
		message_error("there is no LimitRange: name the policy with --policy");
	else if (run->status == STATUS_GOOD && !policy_load_text(engine, list->str, list->len, diag))
		problems_print_policy(diag, LIMEN_SEVERITY_PROBLEM);
	else
		return run->status == STATUS_GOOD;
	return false;
}
