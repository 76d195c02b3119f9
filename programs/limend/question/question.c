/* SPDX-License-Identifier: Apache-2.0 */
/*
 * question.c - reads questions with the library and says what the sender did wrong as faults.
 */
#include "question.h"
#include "../common/auto.h"
#include "../common/json_out.h"

bool
question_is_read(int result, const limen_diag *diag, const char *name, fault *why)
{
	const limen_problem *first = limen_diag_get(diag, 0);

	if (result == LIMEN_OK)
		return true;
	if (result == LIMEN_EINVAL && first != NULL)
		return fault_set(why, 400, "%s: %s", name, first->text);
	return fault_memory(why);
}

limen_documents *
question_open(const char *name, const char *text, size_t length, fault *why)
{
	g_autoptr(limen_diag) diag = limen_diag_new();
	limen_documents *parsed = NULL;
	int result = limen_documents_parse("question.json", text, length, 0, &parsed, diag);

	question_is_read(result, diag, name, why);
	return parsed;
}

bool
question_distrust(const char *refusal, fault *why)
{
	return fault_set(why, 403,
	                 "%s: the unix socket, a client certificate, an address of "
	                 "--trust-hints-from", refusal);
}

/* Sets the fault of a question that the library refused; its texts begin with small letters. */
static bool
refuse(int result, const limen_diag *diag, fault *why)
{
	size_t count = limen_diag_count(diag, LIMEN_SEVERITY_NOTE);
	/* Those before are about names, which are only left out. */
	const limen_problem *last = count == 0 ? NULL : limen_diag_get(diag, count - 1);

	if (result == LIMEN_ENOMEM || last == NULL)
		return fault_memory(why);
	if (result == LIMEN_EACCES)
		return question_distrust(last->text, why);
	return fault_set(why, 400, "%c%s", g_ascii_toupper(last->text[0]), last->text + 1);
}

bool
question_is_no_review(limen_value members, fault *why)
{
	return (!limen_review_is(limen_value_get(members, "object")) &&
	        !limen_review_is(limen_value_get(members, "request"))) ||
	       fault_set(why, 400, "An AdmissionReview goes to /admission/mutate and "
	                           "/admission/validate");
}

bool
question_read(const http_peer *peer, limen_value members, deciding *out, fault *why)
{
	const limen_question_options options = { .size = sizeof(options),
		                                 .requester = peer->address,
		                                 .server = peer->local,
		                                 .trusted = peer->trusted };
	g_autoptr(limen_diag) diag = limen_diag_new();
	int result;

	*out = (deciding){ .options = { .size = sizeof(out->options) } };
	result = limen_question_read(members, &options, &out->options, &out->request, diag);
	return result == LIMEN_OK || refuse(result, diag, why);
}

void
deciding_clear(deciding *self)
{
	limen_request_free(self->request);
	*self = (deciding){ .request = NULL };
}

void
question_append_problems(GString *out, const limen_diag *diag)
{
	static const char *const words[] = { "note", "warning", "problem" };
	const limen_problem *found;

	json_write(out, "[");
	for (size_t i = 0; (found = limen_diag_get(diag, i)) != NULL; i++)
		json_write(out, "{severity:s line:d column:d text:s hint:S}", words[found->severity],
		           (int)found->line, (int)found->column, found->text, found->hint);
	json_write(out, "]");
}
