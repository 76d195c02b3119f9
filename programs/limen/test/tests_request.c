/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_request.c - looks up the members of a test in its layers, and makes its request.  A cell of
 * the row overrides the step, the step overrides the test, and the test overrides the defaults.
 */
#include <string.h>

#include "common/auto.h"
#include "cli/input.h"
#include "common/json_out.h"
#include "policy/policy.h"
#include "policy/problems.h"
#include "tests.h"

/* Returns the cell of the column 'pointer', or none; a cell of null leaves the member unset. */
static limen_value
find_cell(const test_view *view, const char *pointer)
{
	for (guint i = 0; view->columns != NULL && i < view->columns->len; i++) {
		limen_value cell;

		if (strcmp(g_ptr_array_index(view->columns, i), pointer) != 0)
			continue;
		cell = limen_value_at(view->cells, i);
		if (limen_value_type(cell) > LIMEN_TYPE_NULL)
			return cell;
	}
	return limen_value_none();
}

limen_value
tests_find(const test_view *view, const char *key)
{
	g_autofree char *pointer = g_strconcat("/", key, NULL);
	limen_value found = find_cell(view, pointer);

	for (int i = 0; i < LAYERS && !limen_value_exists(found); i++)
		found = limen_value_get(view->layers[i], key);
	return found;
}

limen_value
tests_member(const test_view *view, const char *key, const char *member)
{
	g_autofree char *pointer = g_strconcat("/", key, "/", member, NULL);
	limen_value found = find_cell(view, pointer);

	pointer[1 + strlen(key)] = '\0';
	if (!limen_value_exists(found))
		found = limen_value_get(find_cell(view, pointer), member);
	for (int i = 0; i < LAYERS && !limen_value_exists(found); i++)
		found = limen_value_get(limen_value_get(view->layers[i], key), member);
	return found;
}

/* ---- merging the cells of a row ---- */

char *
tests_take_token(const char **rest)
{
	GString *token = g_string_new(NULL);
	const char *at = *rest + 1;

	for (; *at != '\0' && *at != '/'; at++) {
		if (at[0] == '~' && (at[1] == '0' || at[1] == '1'))
			g_string_append_c(token, *++at == '0' ? '~' : '/');
		else
			g_string_append_c(token, *at);
	}
	*rest = at;
	return g_string_free(token, FALSE);
}

/* Returns true if the cell of that column is given and sets something below 'pointer'. */
static bool
is_below(const test_view *view, guint column, const char *pointer)
{
	const char *own = g_ptr_array_index(view->columns, column);
	size_t length = strlen(pointer);

	return strncmp(own, pointer, length) == 0 && own[length] == '/' &&
	       limen_value_type(limen_value_at(view->cells, column)) > LIMEN_TYPE_NULL;
}

static bool
has_below(const test_view *view, const char *pointer)
{
	for (guint i = 0; view->columns != NULL && i < view->columns->len; i++)
		if (is_below(view, i, pointer))
			return true;
	return false;
}

static void write_value(GString *out, const test_view *view, GString *pointer, limen_value value);

/* Writes 'value', which is at 'token' below 'pointer', with the cells merged in. */
static void
write_below(GString *out, const test_view *view, GString *pointer, const char *token, size_t bytes,
            limen_value value)
{
	gsize length = pointer->len;

	json_pointer_step(pointer, token, bytes);
	write_value(out, view, pointer, value);
	g_string_truncate(pointer, length);
}

/* Writes the members that only the row has. */
static void
write_missing(GString *out, const test_view *view, GString *pointer, limen_value object)
{
	g_autoptr(GHashTable) written = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < view->columns->len; i++) {
		const char *rest = (const char *)g_ptr_array_index(view->columns, i) + pointer->len;
		char *token;

		if (!is_below(view, i, pointer->str))
			continue;
		token = tests_take_token(&rest);
		if (!limen_value_exists(limen_value_get(object, token)) &&
		    !g_hash_table_contains(written, token)) {
			json_key(out, token);
			write_below(out, view, pointer, token, strlen(token), limen_value_none());
		}
		g_hash_table_add(written, token);
	}
}

/*
 * Writes 'value', which is at 'pointer', with the cells merged in.  The recursion is bounded by
 * the depth of columns (tests_keys.c).
 */
static void
write_value(GString *out, const test_view *view, GString *pointer, limen_value value)
{
	bool array = limen_value_type(value) == LIMEN_TYPE_ARRAY;
	limen_value cell = find_cell(view, pointer->str);
	limen_iter iter = limen_iter_start(value);
	limen_value key, member;

	if (limen_value_exists(cell) || !has_below(view, pointer->str)) {
		json_value(out, limen_value_exists(cell) ? cell : value);
		return;
	}
	json_open(out, array ? '[' : '{');
	for (size_t i = 0; limen_iter_next(&iter, &key, &member); i++) {
		char index[24];
		size_t bytes = (size_t)g_snprintf(index, sizeof(index), "%zu", i);
		const char *text = array ? index : limen_value_string(key, &bytes);

		if (!array) {
			json_value(out, key);
			g_string_append_c(out, ':');
		}
		/* Columns have no NUL, so a key with one has no cell. */
		if (strlen(text) != bytes)
			json_value(out, member);
		else
			write_below(out, view, pointer, text, bytes, member);
	}
	if (!array)
		write_missing(out, view, pointer, value);
	g_string_append_c(out, array ? ']' : '}');
}

limen_value
tests_whole(const test_view *view, const char *key, limen_documents **parsed, char **why)
{
	g_autoptr(GString) pointer = g_string_append(g_string_new("/"), key);
	g_autoptr(GString) out = g_string_new(NULL);
	limen_value value = tests_find(view, key);

	if (!has_below(view, pointer->str))
		return value;
	write_value(out, view, pointer, value);
	if (limen_documents_parse("request.json", out->str, out->len, 0, parsed, NULL) == LIMEN_OK)
		return limen_documents_get(*parsed, 0);
	*why = g_strdup_printf("'%s' has a number that JSON does not have", key);
	return value;
}

/* ---- the document ---- */

/* Returns the layer that has 'key': 0 is the row, LAYERS + 1 means none. */
static int
find_layer(const test_view *view, const char *key)
{
	test_view row = { .columns = view->columns, .cells = view->cells };

	if (limen_value_exists(tests_find(&row, key)))
		return 0;
	for (int i = 0; i < LAYERS; i++)
		if (limen_value_exists(limen_value_get(view->layers[i], key)))
			return i + 1;
	return LAYERS + 1;
}

/* Reads the only document of a file; '*parsed' owns it.  Returns none with '*why'. */
static limen_value
read_file(const test_file *file, const char *name, limen_documents **parsed, char **why)
{
	g_autofree char *path = tests_policy_path(file, name);
	g_autoptr(GString) content = input_read(path, why);
	g_autoptr(limen_diag) diag = policy_diag();

	if (content == NULL)
		return limen_value_none();
	if (limen_documents_parse(path, content->str, content->len, 0, parsed, diag) != LIMEN_OK)
		*why = g_strdup_printf("%s: %s", path, problems_first(diag, "out of memory"));
	else if (limen_documents_count(*parsed) != 1)
		*why = g_strdup_printf("%s: the file holds %zu documents and not one", path,
		                       limen_documents_count(*parsed));
	return limen_documents_get(*parsed, 0);
}

/* Returns the key of the request, in the first layer that has one, or NULL with '*why'. */
static const char *
find_key(const test_view *view, char **why)
{
	static const char *const keys[] = { "request", "task", "object", "http", "requestFile" };
	const char *found = "request";
	int nearest = LAYERS + 1;

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		g_autofree char *pointer = g_strconcat("/", keys[i], NULL);
		int layer = has_below(view, pointer) ? 0 : find_layer(view, keys[i]);

		if (layer == nearest && layer <= LAYERS) {
			*why = g_strdup_printf("'%s' and '%s' exclude each other", found, keys[i]);
			return NULL;
		}
		if (layer < nearest) {
			found = keys[i];
			nearest = layer;
		}
	}
	return found;
}

/*
 * Returns the document of the request; '*parsed' may own it, and '*key' says what it is called.
 * Returns none with '*why'.
 */
static limen_value
find_document(const test_file *file, const test_view *view, limen_documents **parsed,
              const char **key, char **why)
{
	limen_value found;

	*key = find_key(view, why);
	if (*key == NULL)
		return limen_value_none();
	if (strcmp(*key, "requestFile") == 0)
		return read_file(file, limen_value_string(tests_find(view, *key), NULL), parsed,
		                 why);
	found = tests_whole(view, *key, parsed, why);
	if (!limen_value_exists(found) && *why == NULL)
		*why = g_strdup("'request' is missing");
	return found;
}

/* ---- settings ---- */

static bool
choose_subject(const test_view *view, const char *key, limen_value document, ask_settings *ask,
               char **why)
{
	limen_value subject = tests_find(view, "subject");
	bool given = limen_value_exists(subject);
	ask_subject said = case_find_subject(subject);

	ask->subject = said;
	for (ask_subject i = ASK_TASK; i <= ASK_HTTP; i++)
		if (strcmp(key, case_subjects[i].word) == 0)
			ask->subject = i;
	if (given && said == ASK_INFER)
		*why = g_strdup("'subject' must be task, object or http");
	else if (given && ask->subject != said &&
	         find_layer(view, "subject") <= find_layer(view, key))
		*why = g_strdup_printf("'subject' is %s, but the request is in '%s'",
		                       case_subjects[said].word, key);
	else if (ask->subject == ASK_INFER)
		ask->subject = ask_is_object(document) ? ASK_OBJECT : ASK_TASK;
	return *why == NULL;
}

/*
 * Reads "run".  A false "run" of a test overrides its defaults, unless the row sets start or
 * duration.
 */
static void
read_run(const test_view *view, ask_settings *ask)
{
	const test_view row = { .columns = view->columns, .cells = view->cells };
	limen_value run = tests_find(view, "run");
	bool on = limen_value_exists(run);

	limen_value_bool(run, &on);
	if (!on)
		view = &row;
	ask->start = limen_value_string(tests_member(view, "run", "start"), NULL);
	ask->duration = limen_value_string(tests_member(view, "run", "duration"), NULL);
	ask->run = on || ask->start != NULL || ask->duration != NULL;
}

static bool
is_on(const test_view *view, const char *key)
{
	return ask_read_switch(tests_find(view, key)) == LIMEN_SWITCH_ON;
}

static bool
read_settings(const test_view *view, const char *key, limen_value document, limen_time now,
              ask_settings *ask, char **why)
{
	limen_value phase = tests_find(view, "phase");

	*ask = (ask_settings){ .decide = { .size = sizeof(ask->decide),
		                           .rewrite = ask_read_switch(tests_find(view, "rewrite")),
		                           .prioritize = ask_read_switch(tests_find(view, "prioritize")),
		                           .diagnostics = true },
		               .dry_run = is_on(view, "dryRun"),
		               .as_received = is_on(view, "asReceived"),
		               .namespace = limen_value_string(tests_find(view, "namespace"), NULL),
		               .has_time = true,
		               .time = now };
	read_run(view, ask);
	if (!choose_subject(view, key, document, ask, why))
		return false;
	if (limen_value_exists(phase) &&
	    !ask_parse_phase(limen_value_string(phase, NULL), &ask->decide.phase))
		*why = g_strdup("'phase' must be mutate, validate or workload");
	return *why == NULL;
}

/* ---- the envelope and hints ---- */

/* Sets the fields that an AdmissionReview would have. */
static bool
set_envelope(limen_request *req, const test_view *view, limen_diag *diag, char **why)
{
	static const char *const keys[] = { "operation", "user", "groups", "oldObject" };
	limen_value given[G_N_ELEMENTS(keys)];
	limen_type old;

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		given[i] = tests_find(view, keys[i]);
		if (limen_request_subject(req) == LIMEN_SUBJECT_TASK && limen_value_exists(given[i]))
			*why = g_strdup_printf("'%s' is for objects, and this is a task", keys[i]);
		if (*why != NULL)
			return false;
	}
	old = limen_value_type(given[3]);
	if (old > LIMEN_TYPE_NULL && old != LIMEN_TYPE_OBJECT)
		*why = g_strdup("'oldObject' must be an object");
	else if ((old == LIMEN_TYPE_OBJECT && limen_request_set_old(req, given[3]) != LIMEN_OK) ||
	         limen_request_claim(req, given[0], given[1], given[2], diag) != LIMEN_OK)
		*why = g_strdup(problems_first(diag, "out of memory"));
	return *why == NULL;
}

/* Sets the hints in the row, from the last column to the first: the first one of a name wins. */
static int
set_cells(limen_request *req, const test_view *view)
{
	static const char prefix[] = "/hints";
	int result = LIMEN_OK;

	for (guint i = view->columns == NULL ? 0 : view->columns->len; i > 0; i--) {
		limen_value cell = limen_value_at(view->cells, i - 1);
		const char *pointer = g_ptr_array_index(view->columns, i - 1);
		const char *rest = pointer + strlen(prefix);

		if (!g_str_has_prefix(pointer, prefix))
			continue;
		if (limen_value_type(cell) == LIMEN_TYPE_OBJECT && *rest == '\0')
			result |= limen_request_set_hints(req, cell);
		if (limen_value_type(cell) == LIMEN_TYPE_STRING && *rest == '/') {
			g_autofree char *name = tests_take_token(&rest);

			result |= limen_request_set_hint_list(
				req, &(limen_hint){ .name = name, .value = cell }, 1);
		}
	}
	return result;
}

/* Sets the hints of all layers, defaults first: later hints win. */
static bool
set_hints(limen_request *req, const test_view *view)
{
	int result = LIMEN_OK;

	for (int i = LAYERS; i > 0; i--) {
		limen_value hints = limen_value_get(view->layers[i - 1], "hints");

		if (limen_value_type(hints) == LIMEN_TYPE_OBJECT)
			result |= limen_request_set_hints(req, hints);
	}
	return (result | set_cells(req, view)) == LIMEN_OK;
}

bool
tests_request_make(ask_case *out, const test_file *file, const test_view *view,
                   limen_time now, char **why)
{
	g_autoptr(limen_documents) parsed = NULL;
	g_autoptr(limen_diag) diag = policy_diag();
	const char *key = NULL;
	limen_value document = find_document(file, view, &parsed, &key, why);
	limen_request *req = NULL;
	ask_settings ask = { 0 };

	if (*why == NULL && read_settings(view, key, document, now, &ask, why))
		req = ask_read(&ask, document, diag, why);
	*out = req == NULL ? (ask_case){ .request = NULL } : case_of(req, &ask.decide);
	out->review = limen_review_is(document);
	if (req == NULL && *why == NULL)
		*why = g_strdup(problems_first(diag, "out of memory"));
	if (*why == NULL && set_envelope(req, view, diag, why) && !set_hints(req, view))
		*why = g_strdup("the hints cannot be taken over");
	return *why == NULL;
}
