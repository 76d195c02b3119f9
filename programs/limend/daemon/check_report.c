/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_report.c - what "limend --check" prints if all is well: how many files and entries of
 * each section the policy has, and when the certificate expires.
 */
#include <limen/documents.h>
#include <stdio.h>

#include "../common/auto.h"
#include "daemon.h"

static const struct {
	const char *key; /* of limen_engine_describe(); the value is an object of entries */
	const char *name;
	const char *several;
} sections[] = {
	{ "files", "file", "files" },
	{ "identifiers", "identifier", "identifiers" },
	{ "classifiers", "classifier", "classifiers" },
	{ "limits", "limit", "limits" },
	{ "application-list", "application", "applications" },
	{ "admission", "admission entry", "admission entries" },
	{ "stores", "store", "stores" },
};

/* A section without entries is left out. */
static void
add_counts(GString *line, limen_value policy)
{
	const char *between = ": ";

	for (size_t i = 0; i < G_N_ELEMENTS(sections); i++) {
		size_t count = limen_value_count(limen_value_get(policy, sections[i].key));

		if (count == 0)
			continue;
		g_string_append_printf(line, "%s%zu %s", between, count,
		                       count == 1 ? sections[i].name : sections[i].several);
		between = ", ";
	}
}

static void
report_policy(const limend *self)
{
	size_t length = 0;
	g_auto(heap_text) text = limen_engine_describe(self->shared.decider.engine, 0, &length);
	g_autofree char *names = g_strjoinv(", ", self->options.policies);
	g_autoptr(GString) line = g_string_new("the policy ");
	g_autoptr(limen_documents) parsed = NULL;

	g_string_append_printf(line, "%s is valid", names);
	if (text != NULL &&
	    limen_documents_parse("policy", text, length, 0, &parsed, NULL) == LIMEN_OK)
		add_counts(line, limen_documents_get(parsed, 0));
	puts(line->str);
}

static void
report_certificate(const limend *self)
{
	limen_time expires = certificate_expires(self->certificate);
	g_autoptr(GDateTime) day = g_date_time_new_from_unix_utc(expires / LIMEN_SECOND);
	g_autofree char *text = day == NULL ? NULL : g_date_time_format(day, "%Y-%m-%d");

	printf("the certificate %s is valid until %s\n", self->options.tls_certificate,
	       text == NULL ? "a day that cannot be printed" : text);
}

void
daemon_report_check(const limend *self)
{
	if (!self->options.without_policy)
		report_policy(self);
	if (self->certificate != NULL)
		report_certificate(self);
}
