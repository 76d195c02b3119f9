/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recent.c - writes what is shown of a decision when it is kept, redacted, and puts it into one of two
 * rings.  A reader holds references to decisions, and the lock only while it takes them.
 */
#include "recent.h"

#include <limen/host.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "../common/controller.h"
#include "../common/cut.h"
#include "../common/json_out.h"
#include "../common/print.h"
#include "base/log.h"
#include "senders.h"

/* In bytes: names, texts of violations, a document. */
#define NAME_BYTES_MAX ((size_t)256)
#define REASON_BYTES_MAX ((size_t)1024)
#define DOCUMENT_BYTES_MAX ((size_t)64 << 10)

#define VIOLATIONS_MAX 8

/* Nanoseconds between two admissions that are kept. */
#define SAMPLE_PAUSE INT64_C(250000000)

/* Microseconds in which one more refusal may be kept.  A flood would push all others out. */
#define REFUSAL_PAUSE (LIMEN_SECOND / RECENT_RATE)

enum { ENDPOINT, NAMESPACE, KIND, NAME, CONTROLLER, USER, REQUESTER, ENTRY, NAMES };

static const struct {
	const char *key;
	unsigned part; /* REDACT_*; 0: always shown */
} names[NAMES] = {
	[ENDPOINT] = { "endpoint", 0 },
	[NAMESPACE] = { "namespace", REDACT_NAMESPACE },
	[KIND] = { "kind", 0 },
	[NAME] = { "name", REDACT_NAME },
	[CONTROLLER] = { "controller", REDACT_NAME },
	[USER] = { "user", REDACT_USER },
	[REQUESTER] = { "requester", REDACT_PEER },
	[ENTRY] = { "entry", 0 },
};

typedef struct kept {
	GList link; /* in a ring */
	atomic_uint references;
	size_t size;
	uint64_t number;
	record_outcome outcome;
	bool documented;
	char *shown[NAMES]; /* cut; NULL: nothing */
	char *text;         /* JSON: the members but for the number */
} kept;

typedef struct ring {
	GQueue kept; /* the newest first */
	size_t most;
	size_t bytes;
	size_t bytes_most;
	uint64_t lost;
	uint64_t last_lost; /* the number of the newest that fell out */
} ring;

struct recent {
	line_rules rules;
	limen_time since;
	_Atomic int64_t sample_due; /* limen_host_monotonic() */
	pthread_mutex_t lock;       /* guards the rest */
	uint64_t number;
	unsigned followers;
	ring refusals;
	ring admissions;
	limen_time covered; /* as in the limit "rate": when the last kept refusal is paid for */
	senders *namespaces;
	senders *requesters;
};

/* ---- from a decision ---- */

/* Adds the names that the request has. */
static void
take_names(const char **texts, const record *facts)
{
	const limen_request *req = facts->request;
	limen_value original = limen_request_original(req);
	limen_subject subject = limen_request_subject(req);

	texts[NAMESPACE] = limen_request_field(req, LIMEN_FIELD_NAMESPACE);
	texts[KIND] = limen_request_field(req, LIMEN_FIELD_KIND);
	texts[NAME] = limen_request_field(req, LIMEN_FIELD_NAME);
	if (texts[NAME] == NULL || texts[NAME][0] == '\0')
		texts[NAME] = limen_request_field(req, LIMEN_FIELD_GENERATE_NAME);
	texts[USER] = limen_request_field(req, LIMEN_FIELD_USER);
	if (subject == LIMEN_SUBJECT_OBJECT)
		return;
	texts[REQUESTER] = record_requester(facts);
	if (texts[REQUESTER] == NULL)
		texts[REQUESTER] = record_sender(facts);
	if (subject == LIMEN_SUBJECT_TASK)
		original = limen_value_get(original, "test");
	else
		texts[NAME] = limen_value_string(limen_value_get(original, "path"), NULL);
	texts[KIND] = limen_value_string(
		limen_value_get(original, subject == LIMEN_SUBJECT_TASK ? "type" : "method"), NULL);
}

static void
put_names(const line_rules *rules, kept *item, const char *const *texts, GString *out)
{
	char buffer[LINE_HASH_MAX];

	for (size_t i = 0; i < NAMES; i++) {
		const char *shown = line_redact(rules, names[i].part, texts[i], buffer);

		if (shown == NULL || shown[0] == '\0')
			continue;
		json_key(out, names[i].key);
		json_string_cut(out, shown, NAME_BYTES_MAX);
		item->shown[i] = g_strndup(shown, NAME_BYTES_MAX);
		item->size += strlen(item->shown[i]) + 1;
	}
}

/* Why a decision was not an admission, being written. */
typedef struct findings {
	const line_rules *rules;
	GString *out;
	size_t count; /* those that are not kept, too */
} findings;

static void
put_violation(findings *self, const char *field, const char *reason, const char *rule)
{
	const struct {
		const char *key;
		const char *text;
		size_t most;
	} parts[] = { { "field", field, NAME_BYTES_MAX },
		      { "reason", reason, REASON_BYTES_MAX },
		      { "rule", rule, REASON_BYTES_MAX } };
	char buffer[LINE_HASH_MAX];

	if (self->count == 0)
		json_write(self->out, "violations:[");
	if (self->count++ >= VIOLATIONS_MAX)
		return;
	json_open(self->out, '{');
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		const char *text = line_redact_reason(self->rules, parts[i].text, buffer);

		if (text == NULL)
			continue;
		json_key(self->out, parts[i].key);
		json_string_cut(self->out, text, parts[i].most);
	}
	g_string_append_c(self->out, '}');
}

/* Adds the warnings of an entry, which begin with its name in brackets. */
static void
put_warnings(findings *self, const limen_decision *decision, const char *entry)
{
	g_autofree char *start = g_strdup_printf("[%s] ", entry);
	size_t count = 0;
	const char *const *warnings = limen_decision_warnings(decision, &count);

	for (size_t i = 0; i < count; i++)
		if (g_str_has_prefix(warnings[i], start))
			put_violation(self, NULL, warnings[i] + strlen(start), NULL);
}

/* Adds what entries that only observe found. */
static void
put_observed(findings *self, const limen_decision *decision)
{
	const limen_observed *found;
	const limen_annotation *note;

	for (size_t i = 0; (note = record_next_refusal(decision, &i)) != NULL;)
		put_violation(self, NULL, note->value, NULL);
	for (size_t i = 0; (found = limen_decision_observed(decision, i)) != NULL; i++)
		if (strcmp(found->enforce, "warn") == 0)
			put_warnings(self, decision, found->entry);
}

static void
put_findings(const line_rules *rules, const limen_decision *decision, record_outcome outcome, GString *out)
{
	findings self = { .rules = rules, .out = out };
	const limen_violation *found;
	limen_duration wait;

	if (outcome == RECORD_WOULD_REFUSE)
		put_observed(&self, decision);
	else if (outcome != RECORD_ADMITTED) {
		for (size_t i = 0; (found = limen_decision_violation(decision, i)) != NULL; i++)
			put_violation(&self, found->field, found->message, found->detail);
		if (self.count == 0)
			put_violation(&self, NULL, limen_decision_reason(decision), NULL);
	}
	if (self.count > 0)
		g_string_append_c(out, ']');
	if (self.count > VIOLATIONS_MAX)
		json_write(out, "more:z", self.count - VIOLATIONS_MAX);
	if (outcome != RECORD_WOULD_REFUSE && limen_decision_retry_after(decision, &wait))
		json_write(out, "retry-after:i", wait / LIMEN_SECOND + (wait % LIMEN_SECOND > 0));
}

/* Adds the document, unless it is too long or may be none.  Returns whether it did. */
static bool
put_document(const record *facts, GString *out)
{
	size_t start = out->len;
	size_t begin;

	json_key(out, "document");
	begin = out->len;
	decision_line_question(out, facts);
	if (out->len > begin && out->len - begin <= DOCUMENT_BYTES_MAX)
		return true;
	g_string_truncate(out, start);
	return false;
}

static kept *
describe(const recent *self, const record *facts, record_outcome outcome, limen_time now)
{
	const limen_decision *decision = facts->decision;
	const limen_observed *observed = outcome == RECORD_WOULD_REFUSE
	                                         ? limen_decision_observed(decision, 0) : NULL;
	g_autofree char *controller = controller_of_request(facts->request);
	g_autoptr(GString) out = g_string_new(NULL);
	const char *texts[NAMES] = {
		[ENDPOINT] = facts->endpoint,
		[CONTROLLER] = controller,
		[ENTRY] = observed != NULL ? observed->entry : limen_decision_entry(decision),
	};
	char seconds[G_ASCII_DTOSTR_BUF_SIZE];
	char time[LIMEN_TIMESTAMP_TEXT_MAX];
	kept *item = g_new0(kept, 1);

	log_time_print(now, time);
	take_names(texts, facts);
	json_write(out, "time:s subject:s verdict:s code:d enforce:S", time, record_subject(facts),
	           record_outcomes[outcome], limen_decision_code(decision),
	           observed != NULL             ? observed->enforce
	           : outcome == RECORD_ADMITTED ? NULL
	                                        : "enforce");
	put_names(&self->rules, item, texts, out);
	put_findings(&self->rules, decision, outcome, out);
	json_write(out, "duration:j", g_ascii_formatd(seconds, sizeof(seconds), "%.6f",
	                                              (double)MAX(facts->nanoseconds, 0) / 1e9));
	item->documented = self->rules.documents && put_document(facts, out);
	item->text = g_strdup(out->str);
	item->size += sizeof(*item) + out->len + 1;
	item->outcome = outcome;
	item->link.data = item;
	atomic_init(&item->references, 1);
	return item;
}

/* ---- the rings ---- */

static void
unref(kept *self)
{
	if (atomic_fetch_sub(&self->references, 1) != 1)
		return;
	for (size_t i = 0; i < NAMES; i++)
		g_free(self->shown[i]);
	g_free(self->text);
	g_free(self);
}

/* Puts 'item' into a ring; with the lock held. */
static void
push(ring *to, kept *item)
{
	g_queue_push_head_link(&to->kept, &item->link);
	to->bytes += item->size;
	while (to->kept.length > to->most || to->bytes > to->bytes_most) {
		kept *oldest = g_queue_pop_tail_link(&to->kept)->data;

		to->bytes -= oldest->size;
		to->lost++;
		to->last_lost = oldest->number;
		unref(oldest);
	}
}

recent *
recent_new(size_t most, const decision_log_options *log, bool documents)
{
	size_t share = documents ? RECENT_SHARE_DOCUMENTS : RECENT_SHARE;
	recent *self;

	if (most == 0)
		return NULL;
	self = g_new0(recent, 1);
	self->since = limen_host_wall_time();
	line_rules_set(&self->rules, log);
	self->rules.documents = documents;
	/* A ring has room for the largest decision at least. */
	self->refusals = (ring){ .most = most, .bytes_most = MAX(most, 32) * share };
	self->admissions = (ring){ .most = RECENT_ADMISSIONS,
		                   .bytes_most = RECENT_ADMISSIONS * share };
	self->namespaces = senders_new();
	self->requesters = senders_new();
	pthread_mutex_init(&self->lock, NULL);
	return self;
}

void
recent_free(recent *self)
{
	GList *link;

	if (self == NULL)
		return;
	while ((link = g_queue_pop_head_link(&self->refusals.kept)) != NULL ||
	       (link = g_queue_pop_head_link(&self->admissions.kept)) != NULL)
		unref(link->data);
	senders_free(self->namespaces);
	senders_free(self->requesters);
	pthread_mutex_destroy(&self->lock);
	g_free(self);
}

/* May an admission be kept now? */
static bool
is_sampled(recent *self)
{
	int64_t now = limen_host_monotonic();
	int64_t due = atomic_load_explicit(&self->sample_due, memory_order_relaxed);

	return now >= due &&
	       atomic_compare_exchange_strong(&self->sample_due, &due, now + SAMPLE_PAUSE);
}

/* Counts what was not admitted; with the lock held. */
static void
count(recent *self, const record *facts, record_outcome outcome, limen_time now)
{
	const char *name;

	if (limen_request_subject(facts->request) != LIMEN_SUBJECT_OBJECT) {
		senders_count(self->requesters, record_sender(facts), outcome, now);
		return;
	}
	name = limen_request_field(facts->request, LIMEN_FIELD_NAMESPACE);
	senders_count(self->namespaces, name == NULL ? "" : name, outcome, now);
}

/* May one more refusal be kept?  With the lock held. */
static bool
has_turn(recent *self, limen_time now)
{
	limen_time earliest = now - (limen_time)self->refusals.most * REFUSAL_PAUSE;

	/* The clock may have been set back. */
	if (self->covered < earliest || self->covered > now + LIMEN_SECOND)
		self->covered = earliest;
	if (self->covered + REFUSAL_PAUSE > now)
		return false;
	self->covered += REFUSAL_PAUSE;
	return true;
}

/* Counts what was not admitted; false if it is only counted. */
static bool
enter(recent *self, const record *facts, record_outcome outcome, limen_time now)
{
	bool good;

	pthread_mutex_lock(&self->lock);
	count(self, facts, outcome, now);
	good = has_turn(self, now);
	self->refusals.lost += !good;
	pthread_mutex_unlock(&self->lock);
	return good;
}

void
recent_add(recent *self, const record *facts)
{
	record_outcome outcome;
	limen_time now;
	kept *item;

	if (self == NULL)
		return;
	outcome = record_outcome_of(facts->decision);
	if (outcome == RECORD_ADMITTED && !is_sampled(self))
		return;
	now = limen_host_wall_time();
	if (outcome != RECORD_ADMITTED && !enter(self, facts, outcome, now))
		return;
	item = describe(self, facts, outcome, now);
	pthread_mutex_lock(&self->lock);
	item->number = ++self->number;
	push(outcome == RECORD_ADMITTED ? &self->admissions : &self->refusals, item);
	pthread_mutex_unlock(&self->lock);
}

/* ---- what is shown ---- */

static void
write_decision(const kept *item, GString *out)
{
	json_write(out, "{number:i", (int64_t)item->number);
	json_raw(out, item->text);
	g_string_append_c(out, '}');
}

static bool
is_like(const char *wanted, const char *shown)
{
	return wanted == NULL || strcmp(wanted, shown == NULL ? "" : shown) == 0;
}

static bool
is_wanted(const recent_filter *filter, const kept *item)
{
	char *const *shown = item->shown;

	return item->number > filter->since && (item->documented || !filter->documented) &&
	       is_like(filter->verdict, record_outcomes[item->outcome]) &&
	       is_like(filter->namespace, shown[NAMESPACE]) &&
	       is_like(filter->entry, shown[ENTRY]) &&
	       is_like(filter->user, shown[USER] != NULL ? shown[USER] : shown[REQUESTER]);
}

/* Moves to the older of two decisions, the newest first, and returns the newer; NULL: none is left. */
static kept *
next_newest(const GList **first, const GList **second)
{
	const GList **from = first;
	const GList *found;

	if (*first == NULL || (*second != NULL && ((const kept *)(*second)->data)->number >
	                                                  ((const kept *)(*first)->data)->number))
		from = second;
	found = *from;
	if (found == NULL)
		return NULL;
	*from = found->next;
	return found->data;
}

/* Takes references of the decisions that are wanted, the newest first; with the lock held. */
static GPtrArray *
choose(recent *self, const recent_filter *filter)
{
	GPtrArray *chosen = g_ptr_array_new_with_free_func((GDestroyNotify)unref);
	const GList *refusals = self->refusals.kept.head;
	const GList *admissions = self->admissions.kept.head;
	kept *item;

	while (chosen->len < filter->number &&
	       (item = next_newest(&refusals, &admissions)) != NULL && item->number > filter->since) {
		if (!is_wanted(filter, item))
			continue;
		atomic_fetch_add(&item->references, 1);
		g_ptr_array_add(chosen, item);
	}
	return chosen;
}

void
recent_write(recent *self, const recent_filter *filter, GString *out)
{
	g_autoptr(GPtrArray) chosen = NULL;
	g_autoptr(GString) rows = g_string_new(NULL);
	char since[LIMEN_TIMESTAMP_TEXT_MAX];

	if (self == NULL)
		return;
	pthread_mutex_lock(&self->lock);
	chosen = choose(self, filter);
	log_time_print(self->since, since);
	json_write(out, "since:s number:i lost:{refusals:i admissions:i}", since, (int64_t)self->number,
	           (int64_t)self->refusals.lost, (int64_t)self->admissions.lost);
	json_write(rows, "namespaces:[");
	senders_write(self->namespaces, "namespace", &self->rules, REDACT_NAMESPACE, rows);
	json_write(rows, "] requesters:[");
	senders_write(self->requesters, "requester", &self->rules, REDACT_PEER, rows);
	pthread_mutex_unlock(&self->lock);
	json_write(out, "decisions:[");
	for (size_t i = 0; i < chosen->len; i++)
		write_decision(chosen->pdata[i], out);
	g_string_append_c(out, ']');
	json_raw(out, rows->str);
	g_string_append_c(out, ']');
}

/* ---- followers ---- */

/* Calls of more() without news after which a comment tells that the stream goes on. */
#define QUIET_MOST 3

typedef struct follower {
	http_stream stream;
	recent *from;
	recent_filter filter; /* 'since' is the last decision that was looked at */
	char *texts[4];       /* of the filter */
	unsigned quiet;
} follower;

static bool
follow(http_stream *stream, GString *out)
{
	follower *self = (follower *)stream;
	g_autoptr(GPtrArray) chosen = NULL;
	uint64_t before = self->filter.since;
	bool dropped;

	pthread_mutex_lock(&self->from->lock);
	dropped = self->from->refusals.last_lost > before;
	chosen = choose(self->from, &self->filter);
	self->filter.since = self->from->number;
	pthread_mutex_unlock(&self->from->lock);
	for (guint i = chosen->len; i > 0 && !dropped; i--) {
		const kept *item = chosen->pdata[i - 1];

		print_append(out, "id: %" G_GUINT64_FORMAT "\ndata:", item->number);
		write_decision(item, out);
		g_string_append(out, "\n\n");
	}
	self->quiet = chosen->len > 0 ? 0 : self->quiet + 1;
	if (dropped)
		g_string_append(out, "event: dropped\ndata: {}\n\n");
	else if (self->quiet % QUIET_MOST == 1)
		g_string_append(out, ":\n\n");
	return !dropped;
}

static void
end_following(http_stream *stream)
{
	follower *self = (follower *)stream;

	pthread_mutex_lock(&self->from->lock);
	self->from->followers--;
	pthread_mutex_unlock(&self->from->lock);
	for (size_t i = 0; i < G_N_ELEMENTS(self->texts); i++)
		g_free(self->texts[i]);
	g_free(self);
}

bool
recent_follow(recent *self, const recent_filter *filter, http_response *response)
{
	follower *made = g_new0(follower, 1);
	const char **const texts[] = { &made->filter.verdict, &made->filter.namespace,
		                       &made->filter.entry, &made->filter.user };
	bool good;

	*made = (follower){ .stream = { follow, end_following }, .from = self, .filter = *filter };
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		*texts[i] = made->texts[i] = g_strdup(*texts[i]);
	made->filter.number = SIZE_MAX;
	pthread_mutex_lock(&self->lock);
	good = self->followers < RECENT_FOLLOWERS;
	self->followers++;
	/* Without a number, or with one of an earlier process, it begins now. */
	if (filter->since == 0 || filter->since > self->number)
		made->filter.since = self->number;
	pthread_mutex_unlock(&self->lock);
	if (!good) {
		end_following(&made->stream);
		return false;
	}
	response->content_type = "text/event-stream";
	response->stream = &made->stream;
	return true;
}
