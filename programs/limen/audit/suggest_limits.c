/* SPDX-License-Identifier: Apache-2.0 */
/*
 * suggest_limits.c - proposes a LimitRange for each namespace from what its containers request, and
 * audits the proposal.  Specs are all it knows: what containers use is not in them.
 */
#include "suggest_limits.h"

#include <inttypes.h>
#include <limen/quantity.h>
#include <stdio.h>
#include <string.h>

#include "ask/case.h"
#include "audit.h"
#include "cli/message.h"
#include "common/auto.h"
#include "common/option_values.h"
#include "common/print.h"
#include "policy/policy.h"
#include "policy/problems.h"

/* The resources that are proposed: CPU in thousandths, memory in bytes. */
enum { CPU, MEMORY, RESOURCES };

static const char *const resource_names[RESOURCES] = { "cpu", "memory" };
static const int32_t scales[RESOURCES] = { -3, 0 };

/* A bound of each kind may refuse this part of what all may: two for each resource. */
enum { BOUNDS = 2 * RESOURCES };

/* The values of a resource over the containers of a namespace; arrays of int64_t. */
enum {
	REQUESTS, /* else the limits */
	LIMITS,   /* else the requests */
	TYPICAL,  /* limits that are given */
	LISTS
};

typedef struct sample {
	char *name;
	size_t containers;
	GArray *values[RESOURCES][LISTS];
	int64_t unlimited[RESOURCES]; /* the largest request without a limit */
	char *range; /* the proposed LimitRange, or NULL: nothing is known */
} sample;

/* A proposal for a resource; 0: none. */
typedef struct bounds {
	int64_t min;
	int64_t max;
	int64_t limit;   /* default */
	int64_t request; /* defaultRequest */
} bounds;

/* State of the command. */
typedef struct suggestion {
	audit run;
	double share;        /* percentage of containers to be admitted */
	limen_engine *plain; /* without a policy: it knows where workloads have their pods */
	GHashTable *samples; /* by namespace */
	audit_side side;     /* the audit of the proposal */
} suggestion;

/* ---- samples ---- */

static void
free_sample(gpointer data)
{
	sample *old = data;

	for (size_t i = 0; i < RESOURCES * LISTS; i++)
		g_array_unref(old->values[i / LISTS][i % LISTS]);
	g_free(old->range);
	g_free(old->name);
	g_free(old);
}

static sample *
find_sample(suggestion *self, const char *namespace)
{
	sample *found = g_hash_table_lookup(self->samples, namespace);

	if (found != NULL)
		return found;
	found = g_new0(sample, 1);
	found->name = g_strdup(namespace);
	for (size_t i = 0; i < RESOURCES * LISTS; i++)
		found->values[i / LISTS][i % LISTS] = g_array_new(FALSE, FALSE, sizeof(int64_t));
	g_hash_table_insert(self->samples, found->name, found);
	return found;
}

/* Returns a resource of a container in its unit, or 0 if it is not given or no quantity. */
static int64_t
read_resource(limen_value container, const char *side, size_t resource)
{
	limen_value resources = limen_value_get(container, "resources");
	limen_value value = limen_value_get(limen_value_get(resources, side),
	                                    resource_names[resource]);
	limen_quantity quantity;
	int64_t scaled;

	if (!limen_value_exists(value) ||
	    limen_quantity_from_value(value, 0, &quantity, NULL) != LIMEN_OK)
		return 0;
	scaled = limen_quantity_scaled(&quantity, scales[resource]);
	limen_quantity_clear(&quantity);
	return MAX(scaled, 0);
}

static void
add_container(sample *to, limen_value container)
{
	to->containers++;
	for (size_t i = 0; i < RESOURCES; i++) {
		int64_t limit = read_resource(container, "limits", i);
		int64_t request = read_resource(container, "requests", i);
		int64_t least = request > 0 ? request : limit;
		int64_t most = limit > 0 ? limit : request;

		if (most == 0)
			continue;
		g_array_append_val(to->values[i][REQUESTS], least);
		g_array_append_val(to->values[i][LIMITS], most);
		if (limit > 0)
			g_array_append_val(to->values[i][TYPICAL], limit);
		else
			to->unlimited[i] = MAX(to->unlimited[i], request);
	}
}

/* Adds the containers of a pod, or of a workload's pods. */
static void
take_sample(audit *run, void *data, const char *name, const audit_object *object)
{
	static const char *const lists[] = { "containers", "initContainers" };
	suggestion *self = data;
	g_autoptr(limen_diag) diag = policy_diag();
	g_autofree char *why = NULL;
	g_autoptr(GPtrArray) cases = NULL;

	if (audit_left_out(object) < TALLY_LEFTS)
		return;
	cases = cases_of_object(&run->ask, self->plain, object->value, object->api, object->kind,
	                        diag, &why);
	if (cases == NULL) {
		message_error("%s:%u: %s", name, object->line,
		              why != NULL ? why : problems_first(diag, "unusable object"));
		run->status = STATUS_ERROR;
	}
	for (guint i = 0; cases != NULL && i < cases->len; i++) {
		const ask_case *item = g_ptr_array_index(cases, i);

		for (size_t list = 0; item->limited && list < G_N_ELEMENTS(lists); list++) {
			limen_value spec = limen_value_get(item->source, "spec");
			limen_iter iter = limen_iter_start(limen_value_get(spec, lists[list]));
			limen_value container;

			while (limen_iter_next(&iter, NULL, &container))
				add_container(find_sample(self, object->namespace), container);
		}
	}
}

/* ---- proposals ---- */

static int
compare_numbers(gconstpointer a, gconstpointer b)
{
	int64_t first = *(const int64_t *)a;
	int64_t other = *(const int64_t *)b;

	return first < other ? -1 : first > other;
}

/* Returns the least value that at least 'percent' of the sorted values do not exceed; 0: none. */
static int64_t
find_percentile(const GArray *values, double percent)
{
	size_t rank;

	if (values->len == 0)
		return 0;
	rank = (size_t)(percent / 100 * values->len + 0.999999);
	return g_array_index(values, int64_t, CLAMP(rank, 1, values->len) - 1);
}

/* Returns a multiple of a step that a person would write, not below 'value' if 'up'. */
static int64_t
round_value(int64_t value, size_t resource, bool up)
{
	static const int64_t mebi = INT64_C(1) << 20;
	int64_t step = resource == CPU ? (value > 1000 ? 100 : 10)
	                               : (value > 1024 * mebi ? 128 * mebi : 16 * mebi);

	if (value <= step)
		return up && value > 0 ? step : 0;
	return value / step * step + (up && value % step != 0 ? step : 0);
}

static bounds
propose(const sample *from, size_t resource, double share)
{
	double refused = (100 - share) / BOUNDS;
	/* A limit where containers have none would throttle or kill what works today. */
	GArray *const *values = from->values[resource];
	bool limited = 2 * values[TYPICAL]->len >= values[LIMITS]->len;
	bounds range = { .max = 0 };

	for (size_t i = 0; i < LISTS; i++)
		g_array_sort(values[i], compare_numbers);
	range.min = round_value(find_percentile(values[REQUESTS], refused), resource, false);
	range.request = round_value(find_percentile(values[REQUESTS], 50), resource, true);
	if (!limited)
		return range;
	range.max = round_value(find_percentile(values[LIMITS], 100 - refused), resource, true);
	/* A default below the request of a container that has no limit would refuse it. */
	range.limit = MAX(find_percentile(values[TYPICAL], 50), from->unlimited[resource]);
	range.limit = CLAMP(round_value(range.limit, resource, true), range.min, range.max);
	range.request = CLAMP(range.request, range.min, range.limit);
	return range;
}

static void
append_quantity(GString *out, int64_t value, size_t resource)
{
	if (resource == MEMORY)
		g_string_append_printf(out, "%" PRId64 "Mi", value >> 20);
	else if (value % 1000 == 0)
		g_string_append_printf(out, "\"%" PRId64 "\"", value / 1000);
	else
		g_string_append_printf(out, "%" PRId64 "m", value);
}

/* Appends a map of a LimitRange, such as "max", unless it is empty. */
static void
append_map(GString *out, const char *key, const int64_t values[RESOURCES])
{
	const char *before = "{";

	if (values[CPU] == 0 && values[MEMORY] == 0)
		return;
	g_string_append_printf(out, "    %s: ", key);
	for (size_t i = 0; i < RESOURCES; i++)
		if (values[i] > 0) {
			g_string_append_printf(out, "%s%s: ", before, resource_names[i]);
			append_quantity(out, values[i], i);
			before = ", ";
		}
	g_string_append(out, "}\n");
}

/* Makes the proposed LimitRange of a namespace, and appends it to 'all'. */
static void
make_range(sample *from, double share, GString *all)
{
	g_autoptr(GString) out = g_string_new("apiVersion: v1\nkind: LimitRange\nmetadata:\n"
	                                      "  name: limen-suggested\n  namespace: ");
	bounds range[RESOURCES];

	for (size_t i = 0; i < RESOURCES; i++)
		range[i] = propose(from, i, share);
	if (range[CPU].request == 0 && range[MEMORY].request == 0)
		return;
	print_quoted(out, from->name);
	g_string_append(out, "\nspec:\n  limits:\n  - type: Container\n");
	append_map(out, "min", (int64_t[]){ range[CPU].min, range[MEMORY].min });
	append_map(out, "max", (int64_t[]){ range[CPU].max, range[MEMORY].max });
	append_map(out, "default", (int64_t[]){ range[CPU].limit, range[MEMORY].limit });
	append_map(out, "defaultRequest", (int64_t[]){ range[CPU].request, range[MEMORY].request });
	from->range = g_strdup(out->str);
	g_string_append_printf(all, "---\n%s", from->range);
}

/* ---- the audit of the proposal ---- */

static void
take_object(audit *run, void *data, const char *name, const audit_object *object)
{
	suggestion *self = data;
	g_autofree char *why = NULL;

	/* An object that cannot be judged was reported when it was read first. */
	(void)name;
	if (!audit_judge(run, &self->side, object, &why))
		run->status = STATUS_ERROR;
}

static bool
check(suggestion *self, const GString *manifests)
{
	g_autoptr(limen_diag) diag = policy_diag();

	self->side.engine = policy_engine_for(self->run.common, LIMEN_ENGINE_MEMORY_STORES, NULL);
	if (!policy_load_text(self->side.engine, manifests->str, manifests->len, diag)) {
		problems_print_policy(diag, LIMEN_SEVERITY_PROBLEM);
		return false;
	}
	audit_read(&self->run, take_object, self);
	return true;
}

/* Prints what a namespace has, and what the proposal would do to it. */
static void
print_statistics(const suggestion *self, const sample *of)
{
	const tally_namespace *judged = tally_find_namespace((tally *)&self->side.found, of->name);

	printf("# %zu containers; these limits would refuse %zu and change %zu of %zu objects\n",
	       of->containers, judged->counts[TALLY_REFUSED], judged->counts[TALLY_CHANGED],
	       judged->objects);
	for (size_t i = 0; i < RESOURCES; i++)
		printf("# %s: %u containers name it, %u of them a limit\n", resource_names[i],
		       of->values[i][LIMITS]->len, of->values[i][TYPICAL]->len);
}

static gint
compare_samples(gconstpointer a, gconstpointer b)
{
	return strcmp(((const sample *)a)->name, ((const sample *)b)->name);
}

static int
suggest(suggestion *self)
{
	g_autoptr(GString) all = g_string_new(NULL);
	g_autoptr(GList) samples = NULL;

	audit_read(&self->run, take_sample, self);
	samples = g_list_sort(g_hash_table_get_values(self->samples), compare_samples);
	for (GList *at = samples; at != NULL; at = at->next)
		make_range(at->data, self->share, all);
	if (all->len == 0) {
		message_error("no container names cpu or memory");
		return STATUS_ERROR;
	}
	if (!check(self, all))
		self->run.status = STATUS_ERROR;
	else
		puts("# From what containers ask for, not from what they use.");
	for (GList *at = samples; at != NULL; at = at->next) {
		const sample *from = at->data;

		if (from->range == NULL)
			continue;
		puts("---");
		print_statistics(self, from);
		fputs(from->range, stdout);
	}
	return self->run.status;
}

static int
run_suggest(common_options *common)
{
	suggestion self = { .run = audit_new(common), .share = 99 };
	const GOptionEntry rows[] = {
		OPTION_REAL("share", 0, &self.share, "PERCENT",
		            "Admit this share of the containers (default: 99)"),
		AUDIT_INPUT_OPTIONS(&self.run),
		OPTION_END,
	};
	const char *conflict;
	int status;

	if (!options_read(common, rows))
		return common->status;
	conflict = audit_find_input_error(&self.run);
	if (conflict != NULL)
		return message_usage(common->self, "%s", conflict);
	self.samples = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_sample);
	self.plain = policy_engine_for(common, LIMEN_ENGINE_PASSIVE | LIMEN_ENGINE_WITHOUT_POLICY,
	                               NULL);
	tally_start(&self.side.found);
	status = suggest(&self);
	tally_clear(&self.side.found);
	limen_engine_free(self.side.engine);
	limen_engine_free(self.plain);
	g_hash_table_unref(self.samples);
	audit_end(&self.run);
	return status;
}

static const number_option numbers[] = { { "share", "a percentage", 1, 100 }, { NULL, NULL, 0, 0 } };

const command suggest_limits_command = {
	.name = "suggest limits",
	.arguments = "[FILE...]",
	.verbatim = true,
	.summary = "Propose LimitRanges that fit what is there",
	.details =
		"Reads objects as \"limen audit\" does, and prints for each namespace a LimitRange\n"
		"with min, max and defaults that would have admitted nearly all of its\n"
		"containers, and how many objects it would refuse.  It knows what containers ask\n"
		"for, not what they use.\n"
		"\n"
		"Examples:\n"
		"  limen suggest limits --cluster > limits.yaml\n"
		"  kubectl get pods,deploy -A -o json | limen suggest limits --share 95 -\n",
	.numbers = numbers,
	.run = run_suggest,
};
