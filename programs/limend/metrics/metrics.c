/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metrics.c - counts decisions, refusals by entry of the policy, responses and reloads, and writes
 * them for Prometheus.  The observer supplies the metrics of the engine and its entries.
 */
#include "metrics.h"

#include <limen/version.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "../common/controller.h"
#include "../common/cut.h"
#include "base/exposition.h"
#include "base/log.h"
#include "audit/refusals.h"

/* The codes of decisions; any other is counted as "other". */
static const struct {
	int code;
	const char *name;
} codes[] = {
	{ 200, "200" }, { 400, "400" }, { 403, "403" }, { 422, "422" }, { 429, "429" }, { 500, "500" }, { 0, "other" },
};

#define CODES G_N_ELEMENTS(codes)
/* The column of refusals that were only recorded, behind those of an entry by code. */
#define REHEARSED CODES

_Static_assert(REHEARSED < REFUSALS_COLUMNS, "each code has a column");

/* The HTTP statuses that limend sends; any other status is counted as "other". */
static const int statuses[] = { 200, 400, 403, 404, 405, 408, 411, 413, 414, 415,
	                        417, 421, 422, 429, 431, 500, 501, 503, 505 };

#define STATUSES (G_N_ELEMENTS(statuses) + 1)
#define OTHER_STATUS (STATUSES - 1)

/* Upper bounds in nanoseconds; the last bucket has none. */
static const int64_t bounds[] = {
	50000,    100000,    250000,    500000,    1000000,    2500000,    5000000,    10000000,
	25000000, 50000000, 100000000, 250000000, 500000000, 1000000000, 2500000000, 5000000000,
	10000000000,
};

#define BUCKETS (G_N_ELEMENTS(bounds) + 1)

/* Entries of the policy whose refusals are counted; those beyond are counted as OTHERS. */
#define ENTRIES_MAX 1024
#define OTHERS "(others)"

/* Cap on series by namespace, for policies that are loaded again and again with other entries. */
#define SERIES_MAX ((size_t)8 * NAMESPACES_MAX)
#define OTHER "other"

/* Number of keys that are kept for each one that is shown. */
#define KEYS_SPARE 4

/* The columns by namespace: how the entry enforces. */
enum { DENY, WARN, AUDIT, ENFORCES };

typedef atomic_uint_fast64_t counter;

/* Counts of the requests for one path. */
typedef struct path_counts {
	metrics_path row;
	counter decisions[CODES];
	counter buckets[BUCKETS];
	counter nanoseconds;
	counter warnings;
	counter responses[STATUSES];
} path_counts;

struct metrics {
	path_counts *paths; /* the last is "other" */
	size_t path_count;
	counter shed;
	counter loads;
	counter failures;
	pthread_mutex_t lock;
	refusals *by_entry;   /* the columns are codes; guarded by 'lock', like the next two */
	refusals *by_namespace;
	GHashTable *namespaces; /* the first ones with refusals, which have series of their own */
	size_t namespaces_most;
	refusals *by_key;     /* of users and requesters */
	size_t keys_shown;
	limen_time started;
	_Atomic limen_time reloaded; /* time of the last successful load; 0: none */
	_Atomic limen_time expires;  /* of the certificate; 0: no TLS */
};

metrics *
metrics_new(size_t wanted, size_t namespaces, const metrics_path *paths, size_t count)
{
	metrics *self = g_new0(metrics, 1);

	self->path_count = count + 1;
	self->paths = g_new0(path_counts, self->path_count);
	for (size_t i = 0; i < count; i++)
		self->paths[i].row = paths[i];
	self->paths[count].row.path = "other";
	pthread_mutex_init(&self->lock, NULL);
	self->by_entry = refusals_new(ENTRIES_MAX, OTHERS);
	self->by_namespace = refusals_new(SERIES_MAX, OTHER);
	self->namespaces = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	self->namespaces_most = namespaces;
	self->by_key = refusals_new(wanted * KEYS_SPARE, NULL);
	self->keys_shown = wanted;
	self->started = limen_host_wall_time();
	return self;
}

void
metrics_free(metrics *self)
{
	if (self == NULL)
		return;
	refusals_free(self->by_key);
	refusals_free(self->by_entry);
	refusals_free(self->by_namespace);
	g_hash_table_destroy(self->namespaces);
	pthread_mutex_destroy(&self->lock);
	g_free(self->paths);
	g_free(self);
}

static void
add(counter *to, uint64_t amount)
{
	atomic_fetch_add_explicit(to, amount, memory_order_relaxed);
}

static uint64_t
number(const counter *from)
{
	return atomic_load_explicit(from, memory_order_relaxed);
}

/* Returns the counts of a row; those of "other" for a row that is not counted, or for none. */
static path_counts *
find_path(metrics *self, size_t row)
{
	size_t other = self->path_count - 1;

	return &self->paths[row < other && self->paths[row].row.path != NULL ? row : other];
}

/*
 * Counts the key of a refusal among the most refused.  The users of most pods and claims are
 * controllers, which make the objects of everybody: their key is the namespace and the owner.
 */
static void
count_key(metrics *self, const record *facts, const char *entry)
{
	static const char *const owned[] = { "pods", "persistentvolumeclaims", NULL };
	const char *resource = limen_request_field(facts->request, LIMEN_FIELD_RESOURCE);
	const char *namespace = limen_request_field(facts->request, LIMEN_FIELD_NAMESPACE);
	const char *sender = record_sender(facts);
	g_autofree char *owner = NULL;
	g_autofree char *key = NULL;

	if (resource != NULL && namespace != NULL && g_strv_contains(owned, resource)) {
		owner = controller_of_request(facts->request);
		key = g_strconcat(namespace, " ", owner == NULL ? sender : owner, NULL);
	}
	pthread_mutex_lock(&self->lock);
	refusals_count(self->by_key, key == NULL ? sender : key, entry, RECORD_REFUSED, 1);
	pthread_mutex_unlock(&self->lock);
}

/* Counts a refusal by 'entry'; "": by no single entry. */
static void
count_refusal(metrics *self, const char *entry, unsigned code)
{
	pthread_mutex_lock(&self->lock);
	refusals_count(self->by_entry, entry, "", code, 1);
	pthread_mutex_unlock(&self->lock);
}

/* Makes the namespace OTHER if it has no series of its own and may have none; lock held. */
static void
choose_series(metrics *self, char namespace[REFUSALS_NAME_MAX])
{
	if (g_hash_table_contains(self->namespaces, namespace))
		return;
	if (g_hash_table_size(self->namespaces) < self->namespaces_most)
		g_hash_table_add(self->namespaces, g_strdup(namespace));
	else
		strcpy(namespace, OTHER);
}

/* Counts the refusal of an object, and those that entries would have made, by namespace. */
static void
count_namespace(metrics *self, const record *facts)
{
	const char *entry = limen_decision_entry(facts->decision);
	const char *field = limen_request_field(facts->request, LIMEN_FIELD_NAMESPACE);
	const limen_observed *found = limen_decision_observed(facts->decision, 0);
	char namespace[REFUSALS_NAME_MAX] = "";
	bool admitted = limen_decision_admitted(facts->decision);

	if (self->namespaces_most == 0 || (admitted && found == NULL) ||
	    limen_request_subject(facts->request) != LIMEN_SUBJECT_OBJECT)
		return;
	/* A hostile name may be as long as a request. */
	if (field != NULL)
		cut_copy(namespace, sizeof(namespace), field, strnlen(field, sizeof(namespace)));
	pthread_mutex_lock(&self->lock);
	choose_series(self, namespace);
	if (!admitted)
		refusals_count(self->by_namespace, namespace, entry == NULL ? "" : entry, DENY, 1);
	for (size_t i = 0; (found = limen_decision_observed(facts->decision, i)) != NULL; i++)
		refusals_count(self->by_namespace, namespace, found->entry,
		               strcmp(found->enforce, "warn") == 0 ? WARN : AUDIT, 1);
	pthread_mutex_unlock(&self->lock);
}

void
metrics_count_decision(metrics *self, const record *facts)
{
	const char *entry = limen_decision_entry(facts->decision);
	int64_t nanoseconds = MAX(facts->nanoseconds, 0);
	path_counts *counts = find_path(self, facts->row);
	const limen_annotation *note;
	unsigned code = 0;
	size_t bucket = 0;
	size_t warnings;

	while (code < CODES - 1 && codes[code].code != limen_decision_code(facts->decision))
		code++;
	while (bucket < G_N_ELEMENTS(bounds) && nanoseconds > bounds[bucket])
		bucket++;
	add(&counts->decisions[code], 1);
	add(&counts->buckets[bucket], 1);
	add(&counts->nanoseconds, (uint64_t)nanoseconds);
	limen_decision_warnings(facts->decision, &warnings);
	if (warnings > 0)
		add(&counts->warnings, 1);
	count_namespace(self, facts);
	/* Entries with "enforce": "audit" would have refused. */
	for (size_t i = 0; (note = record_next_refusal(facts->decision, &i)) != NULL;)
		count_refusal(self, note->key, REHEARSED);
	if (limen_decision_admitted(facts->decision))
		return;
	entry = entry == NULL ? "" : entry;
	count_refusal(self, entry, code);
	if (self->keys_shown > 0)
		count_key(self, facts, entry);
}

void
metrics_count_response(metrics *self, size_t row, int status)
{
	size_t column = 0;

	while (column < OTHER_STATUS && statuses[column] != status)
		column++;
	add(&find_path(self, row)->responses[column], 1);
}

void
metrics_count_shed(metrics *self)
{
	add(&self->shed, 1);
}

void
metrics_count_reload(metrics *self, bool good)
{
	add(&self->loads, 1);
	if (good)
		atomic_store(&self->reloaded, limen_host_wall_time());
	else
		add(&self->failures, 1);
}

void
metrics_note_expiry(metrics *self, limen_time expires)
{
	atomic_store(&self->expires, expires);
}

bool
metrics_has_policy(const metrics *self)
{
	return atomic_load(&self->reloaded) != 0;
}

static void
write_decisions(const metrics *self, GString *out)
{
	exposition_family(out, "limend_decisions_total", "counter",
	                  "Decisions, by path and code.");
	for (const path_counts *counts = self->paths; counts < self->paths + self->path_count; counts++)
		for (size_t code = 0; counts->row.decides && code < CODES; code++)
			exposition_put(out, "limend_decisions_total", number(&counts->decisions[code]),
			               "endpoint", counts->row.path, "code", codes[code].name, NULL);
	exposition_family(out, "limend_decisions_with_warnings_total", "counter",
	                  "Decisions that warn, as entries do that enforce nothing yet.");
	for (const path_counts *counts = self->paths; counts < self->paths + self->path_count; counts++)
		if (counts->row.decides)
			exposition_put(out, "limend_decisions_with_warnings_total",
			               number(&counts->warnings), "endpoint", counts->row.path, NULL);
}

/* Buckets of a Prometheus histogram are cumulative. */
static void
write_histogram(const path_counts *from, GString *out)
{
	const char *path = from->row.path;
	uint64_t sum = number(&from->nanoseconds);
	uint64_t count = 0;

	for (size_t i = 0; i < BUCKETS; i++) {
		char text[G_ASCII_DTOSTR_BUF_SIZE] = "+Inf";

		if (i < G_N_ELEMENTS(bounds))
			g_ascii_formatd(text, sizeof(text), "%.9g", (double)bounds[i] / 1e9);
		count += number(&from->buckets[i]);
		exposition_put(out, "limend_decision_seconds_bucket", count, "endpoint", path, "le",
		               text, NULL);
	}
	g_string_append(out, "limend_decision_seconds_sum");
	exposition_label(out, "endpoint", path);
	exposition_real(out, (double)sum / 1e9);
	exposition_put(out, "limend_decision_seconds_count", count, "endpoint", path, NULL);
}

static void
write_refusals(metrics *self, GString *out)
{
	g_autoptr(GString) rehearsed = g_string_new(NULL);
	g_autoptr(GList) rows = NULL;

	exposition_family(out, "limend_refusals_total", "counter",
	                  "Requests refused, by the entry that refused; without an entry: no "
	                  "identifier matched, no application, and the like.");
	exposition_family(rehearsed, "limend_rehearsed_refusals_total", "counter",
	                  "Requests that an entry with enforce: audit would have refused.");
	pthread_mutex_lock(&self->lock);
	rows = refusals_list(self->by_entry);
	for (const GList *link = rows; link != NULL; link = link->next) {
		const refusals_row *row = link->data;

		for (size_t code = 0; code < CODES; code++)
			if (row->counts[code] > 0)
				exposition_put(out, "limend_refusals_total", row->counts[code], "entry",
				               row->name, "code", codes[code].name, NULL);
		if (row->counts[REHEARSED] > 0)
			exposition_put(rehearsed, "limend_rehearsed_refusals_total",
			               row->counts[REHEARSED], "entry", row->name, NULL);
	}
	pthread_mutex_unlock(&self->lock);
	g_string_append(out, rehearsed->str);
}

static void
write_namespaces(metrics *self, GString *out)
{
	static const char family[] = "limend_refusals_by_namespace_total";
	static const char *const words[ENFORCES] = { "deny", "warn", "audit" };
	g_autoptr(GList) rows = NULL;

	if (self->namespaces_most == 0)
		return;
	exposition_family(out, family, "counter",
	                  "Objects that an entry refused in a namespace, or would have refused if "
	                  "it enforced.");
	pthread_mutex_lock(&self->lock);
	rows = refusals_list(self->by_namespace);
	for (const GList *link = rows; link != NULL; link = link->next) {
		const refusals_row *row = link->data;

		for (unsigned i = 0; i < ENFORCES; i++)
			if (row->counts[i] > 0)
				exposition_put(out, family, row->counts[i], "entry", row->entry,
				               "namespace", row->name, "enforce", words[i], NULL);
	}
	pthread_mutex_unlock(&self->lock);
}

static gint
compare_bounds(gconstpointer a, gconstpointer b)
{
	uint64_t left = refusals_bound(a);
	uint64_t right = refusals_bound(b);

	return left == right ? 0 : left < right ? 1 : -1;
}

static void
write_keys(metrics *self, GString *out)
{
	g_autoptr(GString) errors = g_string_new(NULL);
	g_autoptr(GList) rows = NULL;
	size_t shown = 0;

	if (self->keys_shown == 0)
		return;
	exposition_family(out, "limend_top_refused", "gauge",
	                  "The most refused users or requesters, with the entry; an estimate that "
	                  "is never too low.");
	exposition_family(errors, "limend_top_refused_error", "gauge",
	                  "By how much the estimate of limend_top_refused may be too high.");
	pthread_mutex_lock(&self->lock);
	rows = g_list_sort(refusals_list(self->by_key), compare_bounds);
	for (const GList *link = rows; link != NULL && shown < self->keys_shown; link = link->next) {
		const refusals_row *row = link->data;

		if (row->rest)
			continue;
		exposition_put(out, "limend_top_refused", refusals_bound(row), "entry", row->entry,
		               "key", row->name, NULL);
		exposition_put(errors, "limend_top_refused_error", row->error, "entry", row->entry,
		               "key", row->name, NULL);
		shown++;
	}
	pthread_mutex_unlock(&self->lock);
	g_string_append(out, errors->str);
}

static void
write_responses(const metrics *self, GString *out)
{
	exposition_family(out, "limend_http_responses_total", "counter",
	                  "Answers, by path and HTTP status; those that never occurred are left "
	                  "out.");
	for (size_t i = 0; i < self->path_count * STATUSES; i++) {
		const path_counts *from = &self->paths[i / STATUSES];
		uint64_t count = number(&from->responses[i % STATUSES]);
		char status[16] = "other";

		if (i % STATUSES != OTHER_STATUS)
			snprintf(status, sizeof(status), "%d", statuses[i % STATUSES]);
		if (count > 0)
			exposition_put(out, "limend_http_responses_total", count, "endpoint",
			               from->row.path, "status", status, NULL);
	}
}

static void
write_reloads(const metrics *self, GString *out)
{
	limen_time last = atomic_load(&self->reloaded);

	exposition_single(out, "limend_policy_loads_total", "counter",
	                  "Attempts to load the policy.", (double)number(&self->loads));
	exposition_single(out, "limend_policy_load_failures_total", "counter",
	                  "Those that failed: the policy before stayed in force.",
	                  (double)number(&self->failures));
	if (last != 0)
		exposition_single(out, "limend_policy_loaded_timestamp_seconds", "gauge",
		                  "When the policy in force was loaded.", (double)last / 1e6);
}

static void
write_logs(decision_log *decisions, GString *out)
{
	decision_log_figures lines;

	exposition_single(out, "limend_log_lines_lost_total", "counter",
	                  "Log lines lost because the reader was slow or they could not be "
	                  "written.", (double)log_lost());
	if (decisions == NULL)
		return;
	decision_log_count(decisions, &lines);
	exposition_family(out, "limend_decision_log_lines_total", "counter",
	                  "Lines of the decision log: written, dropped because the disk was too "
	                  "slow, lost because it was full or gone.");
	exposition_put(out, "limend_decision_log_lines_total", lines.written, "result", "written",
	               NULL);
	exposition_put(out, "limend_decision_log_lines_total", lines.dropped, "result", "dropped",
	               NULL);
	exposition_put(out, "limend_decision_log_lines_total", lines.lost, "result", "lost", NULL);
}

static void
write_facts(const metrics *self, bool draining, GString *out)
{
	limen_time expires = atomic_load(&self->expires);

	exposition_family(out, "limend_build_info", "gauge", "The version; always 1.");
	exposition_put(out, "limend_build_info", 1, "version", LIMEN_VERSION, NULL);
	exposition_single(out, "process_start_time_seconds", "gauge",
	                  "Start time of the process since unix epoch in seconds.",
	                  (double)self->started / 1e6);
	exposition_single(out, "limend_draining", "gauge", "1 once the daemon is about to end.",
	                  draining ? 1 : 0);
	if (expires != 0)
		exposition_single(out, "limend_tls_certificate_days_left", "gauge",
		                  "Days until the certificate in use expires.",
		                  (double)(expires - limen_host_wall_time()) / 86400e6);
}

void
metrics_write(metrics *self, decision_log *decisions, bool draining, GString *out)
{
	write_facts(self, draining, out);
	write_decisions(self, out);
	exposition_family(out, "limend_decision_seconds", "histogram",
	                  "How long decisions take.");
	for (const path_counts *counts = self->paths; counts < self->paths + self->path_count; counts++)
		if (counts->row.decides)
			write_histogram(counts, out);
	write_refusals(self, out);
	write_namespaces(self, out);
	write_keys(self, out);
	write_responses(self, out);
	exposition_single(out, "limend_http_connections_shed_total", "counter",
	                  "Connections closed to make room for others.",
	                  (double)number(&self->shed));
	write_reloads(self, out);
	write_logs(decisions, out);
}
