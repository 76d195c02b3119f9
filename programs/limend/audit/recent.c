/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recent.c - copies the texts of a decision into one block and puts it into one of two rings.  What is
 * shown is written when it is asked for, and redacted then: that costs decisions nothing.  A reader
 * holds references to blocks, and the lock only while it takes them.
 */
#include "recent.h"

#include <limen/host.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "../common/controller.h"
#include "../common/json_out.h"
#include "../common/print.h"
#include "base/coarse_clock.h"
#include "base/log.h"
#include "refusals.h"

/* In bytes: names, texts of violations, a document. */
#define NAME_BYTES_MAX ((size_t)256)
#define REASON_BYTES_MAX ((size_t)1024)
#define DOCUMENT_BYTES_MAX ((size_t)64 << 10)

#define VIOLATIONS_MAX 8

/* Nanoseconds between two admissions that are kept. */
#define SAMPLE_PAUSE INT64_C(250000000)

/* Microseconds in which one more refusal may be kept.  A flood would push all others out. */
#define REFUSAL_PAUSE (LIMEN_SECOND / RECENT_RATE)

/* The texts of a decision; those of its violations follow, PARTS each, and then the document. */
enum { ENDPOINT, NAMESPACE, KIND, NAME, CONTROLLER, USER, REQUESTER, ENTRY, NAMES };
enum { FIELD, REASON, RULE, PARTS };

/* Rows of namespaces and of requesters. */
#define ROWS_MAX 200

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

/* A decision.  Everything is in one block, which the last reference frees. */
typedef struct kept {
	GList link; /* in a ring */
	atomic_uint references;
	size_t size;
	uint64_t number;
	limen_time time;
	int64_t nanoseconds;
	limen_duration wait; /* -1: none */
	record_outcome outcome;
	int code;
	const char *subject; /* static, as 'enforce' */
	const char *enforce;
	bool documented;
	size_t violations;   /* those that are not kept, too */
	char texts[];        /* one after another, each with its NUL; "": none */
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
	_Atomic int64_t sample_due; /* coarse_clock() */
	pthread_mutex_t lock;       /* guards the rest */
	uint64_t number;
	unsigned followers;
	ring refusals;
	ring admissions;
	limen_time covered; /* as in the limit "rate": when the last kept refusal is paid for */
	refusals *namespaces;
	refusals *requesters;
};

/* ---- from a decision ---- */

/* Adds a text; one that is to be cut with some bytes more than are shown. */
static void
put(GString *texts, const char *text, size_t most)
{
	if (text != NULL)
		g_string_append_len(texts, text, (gssize)strnlen(text, most + 4));
	g_string_append_c(texts, '\0');
}

static void
put_names(const record *facts, record_outcome outcome, GString *texts)
{
	const limen_request *req = facts->request;
	const limen_decision *decision = facts->decision;
	limen_value original = limen_request_original(req);
	limen_subject subject = limen_request_subject(req);
	g_autofree char *controller = controller_of_request(req);
	const char *found[NAMES] = {
		[ENDPOINT] = facts->endpoint,
		[NAMESPACE] = limen_request_field(req, LIMEN_FIELD_NAMESPACE),
		[KIND] = limen_request_field(req, LIMEN_FIELD_KIND),
		[NAME] = limen_request_field(req, LIMEN_FIELD_NAME),
		[CONTROLLER] = controller,
		[USER] = limen_request_field(req, LIMEN_FIELD_USER),
		[REQUESTER] = subject == LIMEN_SUBJECT_OBJECT ? NULL : record_sender(facts),
		[ENTRY] = outcome == RECORD_WOULD_REFUSE ? limen_decision_observed(decision, 0)->entry
		                                         : limen_decision_entry(decision),
	};

	if (found[NAME] == NULL || found[NAME][0] == '\0')
		found[NAME] = limen_request_field(req, LIMEN_FIELD_GENERATE_NAME);
	if (subject == LIMEN_SUBJECT_TASK) {
		original = limen_value_get(original, "test");
		found[KIND] = limen_value_string(limen_value_get(original, "type"), NULL);
	} else if (subject == LIMEN_SUBJECT_HTTP) {
		found[KIND] = limen_value_string(limen_value_get(original, "method"), NULL);
		found[NAME] = limen_value_string(limen_value_get(original, "path"), NULL);
	}
	for (size_t i = 0; i < NAMES; i++)
		put(texts, found[i], NAME_BYTES_MAX);
}

static void
put_violation(kept *draft, const limen_violation *found, GString *texts)
{
	if (draft->violations++ >= VIOLATIONS_MAX)
		return;
	put(texts, found->field, NAME_BYTES_MAX);
	put(texts, found->message, REASON_BYTES_MAX);
	put(texts, found->detail, REASON_BYTES_MAX);
}

static void
put_violations(kept *draft, const limen_decision *decision, GString *texts)
{
	const limen_violation why = { .message = limen_decision_reason(decision) };
	const limen_violation *found;

	draft->enforce = "enforce";
	if (!limen_decision_retry_after(decision, &draft->wait))
		draft->wait = -1;
	for (size_t i = 0; (found = limen_decision_violation(decision, i)) != NULL; i++)
		put_violation(draft, found, texts);
	if (draft->violations == 0)
		put_violation(draft, &why, texts);
}

/* Adds what entries that only observe found. */
static void
put_observed(kept *draft, const limen_decision *decision, GString *texts)
{
	const limen_observed *found;

	draft->enforce = limen_decision_observed(decision, 0)->enforce;
	for (size_t i = 0; (found = limen_decision_observed(decision, i)) != NULL; i++)
		for (size_t k = 0; k < found->violation_count; k++)
			put_violation(draft, &found->violations[k], texts);
}

static void
put_document(kept *draft, const record *facts, GString *texts)
{
	g_autoptr(GString) document = g_string_new(NULL);

	decision_line_question(document, facts);
	draft->documented = document->len > 0 && document->len <= DOCUMENT_BYTES_MAX;
	if (draft->documented)
		put(texts, document->str, document->len);
}

static kept *
describe(const recent *self, const record *facts, record_outcome outcome, limen_time now)
{
	kept draft = { .outcome = outcome,
		       .time = now,
		       .nanoseconds = MAX(facts->nanoseconds, 0),
		       .code = limen_decision_code(facts->decision),
		       .subject = record_subject(facts),
		       .wait = -1 };
	g_autoptr(GString) texts = g_string_sized_new(1024);
	kept *item;

	put_names(facts, outcome, texts);
	if (outcome == RECORD_WOULD_REFUSE)
		put_observed(&draft, facts->decision, texts);
	else if (outcome != RECORD_ADMITTED)
		put_violations(&draft, facts->decision, texts);
	if (self->rules.documents)
		put_document(&draft, facts, texts);
	draft.size = sizeof(kept) + texts->len;
	item = g_malloc(draft.size);
	*item = draft;
	item->link.data = item;
	atomic_init(&item->references, 1);
	memcpy(item->texts, texts->str, texts->len);
	return item;
}

/* ---- the rings ---- */

static void
unref(kept *self)
{
	if (atomic_fetch_sub(&self->references, 1) == 1)
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
	self->refusals = (ring){ .most = most, .bytes_most = MAX(most, 16) * share };
	self->admissions = (ring){ .most = RECENT_ADMISSIONS,
		                   .bytes_most = RECENT_ADMISSIONS * share };
	self->namespaces = refusals_new(ROWS_MAX, NULL);
	self->requesters = refusals_new(ROWS_MAX, NULL);
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
	refusals_free(self->namespaces);
	refusals_free(self->requesters);
	pthread_mutex_destroy(&self->lock);
	g_free(self);
}

/* May an admission be kept now? */
static bool
is_sampled(recent *self)
{
	int64_t now = coarse_clock();
	int64_t due = atomic_load_explicit(&self->sample_due, memory_order_relaxed);

	return now >= due &&
	       atomic_compare_exchange_strong(&self->sample_due, &due, now + SAMPLE_PAUSE);
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
	const char *name = limen_request_field(facts->request, LIMEN_FIELD_NAMESPACE);
	bool good;

	pthread_mutex_lock(&self->lock);
	if (limen_request_subject(facts->request) == LIMEN_SUBJECT_OBJECT)
		refusals_count(self->namespaces, name == NULL ? "" : name, "", outcome, now);
	else
		refusals_count(self->requesters, record_sender(facts), "", outcome, now);
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

/* Returns a text of a decision. */
static const char *
text_at(const kept *item, size_t index)
{
	const char *text = item->texts;

	while (index-- > 0)
		text += strlen(text) + 1;
	return text;
}

/* Returns what is shown of a name; "": nothing. */
static const char *
shown(const recent *self, const kept *item, size_t index, char buffer[LINE_HASH_MAX])
{
	const char *text = text_at(item, index);
	const char *found = line_redact(&self->rules, names[index].part, text, buffer);

	return text[0] == '\0' || found == NULL ? "" : found;
}

static void
write_violations(const recent *self, const kept *item, GString *out)
{
	static const char *const keys[PARTS] = { "field", "reason", "rule" };
	const char *text = text_at(item, NAMES);
	char buffer[LINE_HASH_MAX];

	if (item->violations == 0)
		return;
	json_write(out, "violations:[");
	for (size_t i = 0; i < MIN(item->violations, VIOLATIONS_MAX) * PARTS; i++) {
		const char *found = line_redact_reason(&self->rules, text[0] == '\0' ? NULL : text, buffer);

		if (i % PARTS == FIELD)
			json_open(out, '{');
		if (found != NULL) {
			json_key(out, keys[i % PARTS]);
			json_string_cut(out, found, i % PARTS == FIELD ? NAME_BYTES_MAX : REASON_BYTES_MAX);
		}
		if (i % PARTS == RULE)
			g_string_append_c(out, '}');
		text += strlen(text) + 1;
	}
	g_string_append_c(out, ']');
	if (item->violations > VIOLATIONS_MAX)
		json_write(out, "more:z", item->violations - VIOLATIONS_MAX);
}

static void
write_decision(const recent *self, const kept *item, GString *out)
{
	char buffer[LINE_HASH_MAX];
	char text[LIMEN_TIMESTAMP_TEXT_MAX];
	char seconds[G_ASCII_DTOSTR_BUF_SIZE];

	log_time_print(item->time, text);
	json_write(out, "{number:i time:s subject:s verdict:s code:d enforce:S",
	           (int64_t)item->number, text, item->subject, record_outcomes[item->outcome],
	           item->code, item->enforce);
	for (size_t i = 0; i < NAMES; i++) {
		const char *found = shown(self, item, i, buffer);

		if (found[0] == '\0')
			continue;
		json_key(out, names[i].key);
		json_string_cut(out, found, NAME_BYTES_MAX);
	}
	write_violations(self, item, out);
	if (item->wait >= 0)
		json_write(out, "retry-after:i",
		           item->wait / LIMEN_SECOND + (item->wait % LIMEN_SECOND > 0));
	json_write(out, "duration:j", g_ascii_formatd(seconds, sizeof(seconds), "%.6f",
	                                              (double)item->nanoseconds / 1e9));
	if (item->documented)
		json_write(out, "document:j",
		           text_at(item, NAMES + MIN(item->violations, VIOLATIONS_MAX) * PARTS));
	g_string_append_c(out, '}');
}

static bool
is_like(const recent *self, const char *wanted, const kept *item, size_t index)
{
	char buffer[LINE_HASH_MAX];

	return wanted == NULL || strcmp(wanted, shown(self, item, index, buffer)) == 0;
}

static bool
is_wanted(const recent *self, const recent_filter *filter, const kept *item)
{
	const char *const *texts = filter->texts;

	return (item->documented || !filter->documented) &&
	       (texts[RECENT_VERDICT] == NULL ||
	        strcmp(texts[RECENT_VERDICT], record_outcomes[item->outcome]) == 0) &&
	       is_like(self, texts[RECENT_NAMESPACE], item, NAMESPACE) &&
	       is_like(self, texts[RECENT_ENTRY], item, ENTRY) &&
	       is_like(self, texts[RECENT_USER], item,
	               text_at(item, USER)[0] != '\0' ? USER : REQUESTER);
}

/* Adds references of the newest decisions in a ring that are wanted. */
static void
choose_of(const recent *self, const ring *from, const recent_filter *filter, GPtrArray *chosen)
{
	size_t most = filter->number + chosen->len;

	for (const GList *link = from->kept.head; link != NULL && chosen->len < most; link = link->next) {
		kept *item = link->data;

		if (item->number <= filter->since)
			return;
		if (!is_wanted(self, filter, item))
			continue;
		atomic_fetch_add(&item->references, 1);
		g_ptr_array_add(chosen, item);
	}
}

static gint
compare_newest(gconstpointer a, gconstpointer b)
{
	const kept *left = *(const kept *const *)a;
	const kept *right = *(const kept *const *)b;

	return left->number < right->number ? 1 : -1;
}

/* Returns references of the decisions that are wanted, the newest first; with the lock held. */
static GPtrArray *
choose(const recent *self, const recent_filter *filter)
{
	GPtrArray *chosen = g_ptr_array_new_with_free_func((GDestroyNotify)unref);

	choose_of(self, &self->refusals, filter, chosen);
	choose_of(self, &self->admissions, filter, chosen);
	g_ptr_array_sort(chosen, compare_newest);
	if (chosen->len > filter->number)
		g_ptr_array_set_size(chosen, (int)filter->number);
	return chosen;
}

/* Appends the member 'list', rows with their names as the member 'key'; none if 'part' is removed. */
static void
write_rows(const recent *self, refusals *table, const char *list, const char *key, redaction part,
           GString *out)
{
	g_autoptr(GList) rows = (self->rules.removed & part) != 0 ? NULL : refusals_list(table);
	char buffer[LINE_HASH_MAX];
	char text[LIMEN_TIMESTAMP_TEXT_MAX];

	json_write(out, "@:[", list);
	for (const GList *link = rows; link != NULL; link = link->next) {
		const refusals_row *row = link->data;

		json_write(out, "{@:s", key, row->rest ? "" : line_redact(&self->rules, part, row->name, buffer));
		log_time_print(row->last, text);
		json_write(out, "refused:i would-refuse:i errors:i last:s",
		           (int64_t)row->counts[RECORD_REFUSED],
		           (int64_t)row->counts[RECORD_WOULD_REFUSE],
		           (int64_t)row->counts[RECORD_ERROR], text);
		json_write(out, row->rest ? "rest:b}" : "}", true);
	}
	g_string_append_c(out, ']');
}

void
recent_write(recent *self, const recent_filter *filter, GString *out)
{
	g_autoptr(GPtrArray) chosen = NULL;
	char since[LIMEN_TIMESTAMP_TEXT_MAX];

	if (self == NULL)
		return;
	log_time_print(self->since, since);
	pthread_mutex_lock(&self->lock);
	chosen = choose(self, filter);
	json_write(out, "since:s number:i lost:{refusals:i admissions:i}", since, (int64_t)self->number,
	           (int64_t)self->refusals.lost, (int64_t)self->admissions.lost);
	write_rows(self, self->namespaces, "namespaces", "namespace", REDACT_NAMESPACE, out);
	write_rows(self, self->requesters, "requesters", "requester", REDACT_PEER, out);
	pthread_mutex_unlock(&self->lock);
	json_write(out, "decisions:[");
	for (guint i = 0; i < chosen->len; i++)
		write_decision(self, chosen->pdata[i], out);
	g_string_append_c(out, ']');
}

/* ---- followers ---- */

/* Calls of more() without news after which a comment tells that the stream goes on. */
#define QUIET_MOST 3

typedef struct follower {
	http_stream stream;
	recent *from;
	recent_filter filter; /* its texts are owned; 'since' is the last decision that was looked at */
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
		write_decision(self->from, item, out);
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
	for (size_t i = 0; i < RECENT_TEXTS; i++)
		g_free((char *)self->filter.texts[i]);
	g_free(self);
}

bool
recent_follow(recent *self, const recent_filter *filter, http_response *response)
{
	follower *added = g_new0(follower, 1);
	bool good;

	*added = (follower){ .stream = { follow, end_following }, .from = self, .filter = *filter };
	for (size_t i = 0; i < RECENT_TEXTS; i++)
		added->filter.texts[i] = g_strdup(filter->texts[i]);
	added->filter.number = SIZE_MAX;
	pthread_mutex_lock(&self->lock);
	good = self->followers < RECENT_FOLLOWERS;
	self->followers++;
	/* Without a number, or with one of an earlier process, it begins now. */
	if (filter->since == 0 || filter->since > self->number)
		added->filter.since = self->number;
	pthread_mutex_unlock(&self->lock);
	if (!good) {
		end_following(&added->stream);
		return false;
	}
	response->content_type = "text/event-stream";
	response->stream = &added->stream;
	return true;
}
