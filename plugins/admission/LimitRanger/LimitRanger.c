/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LimitRanger.c - the admission plugin of Kubernetes of that name, as a module:
 * defaults for containers without requests and limits, bounds for containers,
 * pods and claims, by namespace (limit-ranger, "Enforcement of constraints").
 *
 * Opening reads all LimitRanges (range.h); a request reads its pod once (pod.h), unless
 * another module changes it before validation, it is invalid, or the LimitRanges are those of
 * a cluster.
 */
#include <limen/module.h>
#include <limen/version.h>

#include "limit_ranger.h"

static const char *const conflict_words[] = { "upstream", "raise", "skip", NULL };
static const char *const mirror_words[] = { "upstream", "exempt", NULL };
static const char *const update_words[] = { "all", "changed", NULL };
static const char *const order_words[] = { "name", "creation", NULL };

static const limen_option options[] = {
	LIMEN_OPT_JSON(struct limit_ranger, manifests, .key = "manifests",
	               .help = "LimitRange, LimitRangeList and List objects",
	               .note = "limen adds manifests from separate files of the policy"),
	LIMEN_OPT_STRINGS(struct limit_ranger, files, .key = "files",
	                  .help = "Files with such objects, in JSON or YAML, and directories of "
	                          "such files",
	                  .note = "Relative to the directory of the policy file"),
	LIMEN_OPT_STRING(struct limit_ranger, namespace, .key = "namespace",
	                 .fallback = "default",
	                 .help = "The namespace of manifests and objects that name none"),
	LIMEN_OPT_ENUM(struct limit_ranger, report, .key = "report", .choices = range_report_words,
	               .fallback = "first",
	               .help = "Report the first LimitRange that is violated, or all"),
	LIMEN_OPT_ENUM(struct limit_ranger, defaulting, .key = "defaulting",
	               .choices = range_defaulting_words, .fallback = "upstream",
	               .help = "Fill in values that containers lack as Kubernetes does, or leave "
	                       "them alone, or refuse pods that lack them"),
	LIMEN_OPT_ENUM(struct limit_ranger, conflict, .key = "default-conflict",
	               .choices = conflict_words, .fallback = "upstream",
	               .help = "Give a container a default limit below its request as Kubernetes "
	                       "does, or its request as the limit, or none"),
	LIMEN_OPT_ENUM(struct limit_ranger, mirror_pods, .key = "mirror-pods",
	               .choices = mirror_words, .fallback = "upstream",
	               .help = "Treat mirror pods of kubelets like other pods, as Kubernetes "
	                       "does, or exempt them"),
	LIMEN_OPT_ENUM(struct limit_ranger, updates, .key = "updates", .choices = update_words,
	               .fallback = "all",
	               .help = "Check all values of a resize and of an update of a claim, as "
	                       "Kubernetes does, or only those that change"),
	LIMEN_OPT_ENUM(struct limit_ranger, order, .key = "order", .choices = order_words,
	               .fallback = "name",
	               .help = "Apply the LimitRanges of a namespace by name, or by the time they "
	                       "were created"),
	LIMEN_OPT_JSON(struct limit_ranger, cluster_option, .key = "cluster",
	               .help = "Take the LimitRanges of a live cluster: true, or an object with "
	                       "kubeconfig, context, insecure, service-account, namespaces",
	               .note = "Requests are not decided until they have been listed"),
	LIMEN_OPT_END
};

static void
close_ranges(void *self)
{
	struct limit_ranger *ranger = self;

	range_set_clear(&ranger->ranges);
	cluster_close(ranger->cluster);
}

/* Reads what stands in the files and directories of the option "files". */
static void
read_files(range_reader *reader, const limen_strings *files, limen_opening *opening)
{
	limen_iter places = limen_iter_start(limen_opening_option(opening, "files"));
	limen_value where;

	for (size_t i = 0; i < files->count; i++) {
		const limen_documents *found = NULL;
		int result;

		limen_iter_next(&places, NULL, &where);
		result = limen_opening_documents(opening, files->items[i], where, &found,
		                                 reader->diag);
		if (result != LIMEN_OK)
			reader->result = reader->result == LIMEN_OK ? result : reader->result;
		for (size_t j = 0; result == LIMEN_OK && j < limen_documents_count(found); j++)
			range_read_manifests(reader, limen_documents_get(found, j));
	}
}

/* Two sources of one namespace's LimitRanges would hide from each other what they hold. */
static int
open_cluster(struct limit_ranger *ranger, limen_opening *opening, limen_diag *diag)
{
	const struct limit_ranger *before = limen_opening_predecessor(opening);
	int result = cluster_open(&ranger->cluster, ranger, before == NULL ? NULL : before->cluster,
	                          opening, diag);

	if (result != LIMEN_OK || ranger->cluster == NULL)
		return result;
	limen_opening_add_flags(opening, LIMEN_MODULE_LOOKUPS);
	if (ranger->files.count == 0 && !limen_value_exists(ranger->manifests))
		return LIMEN_OK;
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, ranger->cluster_option,
	               "cluster excludes manifests and files");
	limen_diag_hint(diag, "put them into an entry of their own");
	cluster_close(ranger->cluster);
	ranger->cluster = NULL;
	return LIMEN_ECONFIG;
}

static int
open_ranges(void *self, limen_opening *opening, limen_diag *diag)
{
	struct limit_ranger *ranger = self;
	range_reader reader = {
		.set = &ranger->ranges,
		.namespace = ranger->namespace,
		.defaulting = ranger->defaulting,
		.report = ranger->report,
		.diag = diag,
		.result = LIMEN_OK,
	};

	reader.result = open_cluster(ranger, opening, diag);
	range_read_manifests(&reader, ranger->manifests);
	read_files(&reader, &ranger->files, opening);
	range_set_sort(&reader, ranger->order);
	if (reader.result != LIMEN_OK)
		close_ranges(ranger);
	else if (ranger->ranges.count == 0 && ranger->cluster == NULL)
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE, limen_opening_data(opening),
		               "no LimitRange: nothing is limited");
	range_lint(&ranger->ranges, diag);
	notes_add(ranger, opening, diag);
	return reader.result;
}

/* A pod with its defaults, kept for validate_object(). */
typedef struct known_pod {
	pod pod;
	scope about;
} known_pod;

static void
forget_pod(void *pointer)
{
	pod_clear(&((known_pod *)pointer)->pod);
}

/*
 * Gives a pod its defaults, and keeps it for validation.  Three kinds are read again: a
 * manifest, which gets more than defaults; an update, which is compared with the old object;
 * and a pod of a cluster, whose LimitRanges may be freed or replaced after scope_leave().
 */
static int
mutate_pod(const struct limit_ranger *self, const scope *within, deadline *end, limen_reply *reply)
{
	const limen_request *req = end->request;
	bool manifest = limen_request_is_manifest(req);
	known_pod *known = limen_request_alloc(req, sizeof *known);
	const limit_range *last = NULL;
	int result;

	if (known == NULL)
		return LIMEN_ENOMEM;
	known->about = *within;
	result = pod_read(&known->pod, req, within->object, NULL);
	if (result == LIMEN_OK && manifest)
		result = api_rules_collect(end, &known->pod);
	if (result == LIMEN_OK)
		result = container_defaults_collect(self, within, end, &known->pod, &last);
	if (result == LIMEN_OK && (last != NULL || manifest)) {
		result = default_patch_write(req, &known->pod, last, reply);
		container_defaults_warn(&known->pod, req, reply);
	}
	if (result == LIMEN_OK && within->cluster == NULL && !manifest &&
	    !limen_value_exists(within->old))
		limen_reply_attach(reply, self, known, forget_pod);
	else
		forget_pod(known);
	return result;
}

/* Changes a claim in a manifest only, as the API server itself would. */
static int
mutate_claim(const scope *within, const limen_request *req, limen_reply *reply)
{
	pod claim;
	int result;

	if (!limen_request_is_manifest(req))
		return LIMEN_EINVAL;
	result = claim_read(&claim, req, within->object, NULL);
	if (result == LIMEN_OK)
		api_rules_round(reply, &claim.containers->given, claim.spec, "/spec");
	pod_clear(&claim);
	return result;
}

/* An object that cannot be read is not changed; validate_object() will refuse it. */
static limen_verdict
mutate_object(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct limit_ranger *ranger = self;
	scope within;
	limen_verdict verdict = scope_find(&within, ranger, req, reply);
	deadline end = { .request = req };
	int result;

	if (verdict != LIMEN_PASS)
		return verdict;
	result = within.is_pod ? mutate_pod(ranger, &within, &end, reply)
	                       : mutate_claim(&within, req, reply);
	scope_leave(&within);
	if (result == LIMEN_EINVAL)
		return LIMEN_SKIP;
	if (result == LIMEN_OK)
		return LIMEN_PASS;
	limen_reply_reason(reply, "%s",
	                   end.leave_early          ? DEADLINE_TEXT
	                   : result == LIMEN_ERANGE ? TOO_MANY_ADDITIONS
	                                            : limen_result_text(result));
	return LIMEN_ERROR;
}

static void
report_status(const void *self, limen_builder *build)
{
	const struct limit_ranger *ranger = self;

	if (ranger->cluster != NULL)
		cluster_report(ranger->cluster, build);
	else
		range_set_report(&ranger->ranges, SIZE_MAX, SIZE_MAX, build);
}

static limen_verdict
validate_object(const void *self, const limen_request *req, limen_reply *reply)
{
	const known_pod *known = limen_request_attachment(req, self);
	limen_verdict verdict;
	scope within;

	if (known != NULL && enforce_known(self, &known->about, req, &known->pod))
		return LIMEN_PASS;
	verdict = scope_find(&within, self, req, reply);
	if (verdict != LIMEN_PASS)
		return verdict;
	verdict = enforce(self, &within, req, reply);
	scope_leave(&within);
	return verdict;
}
LIMEN_ADMISSION("LimitRanger",
	.version = LIMEN_VERSION,
	.summary = "Defaults and bounds for the resources of pods and claims, by namespace",
	.options = options,
	.instance_size = sizeof(struct limit_ranger),
	.open = open_ranges,
	.close = close_ranges,
	.status = report_status,
	.ready = scope_ready,
	.mutate = mutate_object,
	.validate = validate_object);
