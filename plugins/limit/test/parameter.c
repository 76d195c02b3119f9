/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parameter.c - picks the shape of a parameter limit, reads the keys that all shapes share, and
 * runs the shape's check.  It also holds the helpers with which shapes report problems and
 * verdicts.
 */
#include "parameter.h"

#include <stdlib.h>
#include <string.h>

#include "../../support/unknown_key.h"

static const char *const known_keys[] = {
	"description", "invert", "fail-message", "match", "range", "enumeration", "cidr", NULL
};

int
parameter_first(int result, int other)
{
	return result != LIMEN_OK ? result : other;
}

int
parameter_check_keys(limen_value object, const char *const *known, limen_severity severity,
                     limen_diag *diag)
{
	limen_iter iter = limen_iter_start(object);
	limen_value key;
	int result = LIMEN_OK;

	while (unknown_key_next(&iter, known, &key, NULL)) {
		const char *text = limen_value_string(key, NULL);

		limen_diag_add(diag, severity, key,
		               "Additional properties are not allowed ('%s' was unexpected)", text);
		unknown_key_hint(text, known, '\'', diag);
		if (severity == LIMEN_SEVERITY_PROBLEM)
			result = LIMEN_ECONFIG;
	}
	return result;
}

int
parameter_read_bool(limen_value object, const char *key, bool *out, limen_diag *diag)
{
	limen_value member = limen_value_get(object, key);

	if (!limen_value_exists(member) || limen_value_bool(member, out))
		return LIMEN_OK;
	return parameter_reject(diag, member, "must be true or false");
}

static int
read_text(limen_value object, const char *key, const char **out, limen_diag *diag)
{
	limen_value member = limen_value_get(object, key);

	if (!limen_value_exists(member))
		return LIMEN_OK;
	*out = limen_value_string(member, NULL);
	return *out != NULL ? LIMEN_OK : parameter_reject(diag, member, "must be a string");
}

static const shape *
find_match_shape(limen_value match)
{
	switch (limen_value_type(match)) {
	case LIMEN_TYPE_BOOL:
		return &boolean_shape;
	case LIMEN_TYPE_INTEGER:
	case LIMEN_TYPE_REAL:
		return &version_shape;
	case LIMEN_TYPE_ARRAY:
		return &list_shape;
	case LIMEN_TYPE_OBJECT:
		return &string_shape;
	default:
		return NULL;
	}
}

/* Returns the shape of 'limit', or NULL after adding what is wrong with it. */
static const shape *
find_shape(limen_value limit, limen_diag *diag)
{
	static const struct {
		const char *key;
		const shape *shape;
	} rows[] = { { "range", &range_shape }, { "enumeration", &version_shape },
		     { "cidr", &cidr_shape } };
	limen_value match = limen_value_get(limit, "match");
	const shape *found = limen_value_exists(match) ? find_match_shape(match) : NULL;
	size_t count = limen_value_exists(match);

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (!limen_value_exists(limen_value_get(limit, rows[i].key)))
			continue;
		found = rows[i].shape;
		count++;
	}
	if (count != 1) {
		limen_diag_refuse(diag, limit,
		                  "must have exactly one of 'match', 'range', 'enumeration' "
		                  "and 'cidr'");
		return NULL;
	}
	if (found == NULL)
		limen_diag_refuse(diag, match,
		                  "must be a boolean, an IP version, a list of integers "
		                  "or a StringMatch");
	return found;
}

static int
read_invert(parameter *param, limen_value limit, limen_diag *diag)
{
	limen_value invert = limen_value_get(limit, "invert");

	if (limen_value_exists(invert) && param->shape != NULL && !param->shape->invertible) {
		limen_diag_refuse(diag, invert, "a boolean limit cannot be inverted");
		limen_diag_hint(diag, "set 'match' to the opposite value");
		return LIMEN_ECONFIG;
	}
	return parameter_read_bool(limit, "invert", &param->invert, diag);
}

/* Reads everything but the shape's own part. */
static int
read_common(parameter *param, limen_value limit, limen_diag *diag)
{
	const char *description;
	/* Only pScheduler's schema of IPCIDRList accepts unknown keys. */
	limen_severity severity =
		param->shape == &cidr_shape ? LIMEN_SEVERITY_WARNING : LIMEN_SEVERITY_PROBLEM;
	int result = parameter_check_keys(limit, known_keys, severity, diag);

	result = parameter_first(result, read_text(limit, "description", &description, diag));
	result = parameter_first(result,
	                         read_text(limit, "fail-message", &param->fail_message, diag));
	return parameter_first(result, read_invert(param, limit, diag));
}

/* ---- names ---- */

/* The abbreviations among the parameters of pScheduler's tests. */
static const char *const abbreviations[] = {
	"as", "dns", "http", "id", "ip", "mtu", "tcp", "tos", "ttl", "udp", "url",
};

static bool
is_abbreviation(const char *word, size_t length)
{
	for (size_t i = 0; i < sizeof abbreviations / sizeof *abbreviations; i++)
		if (strlen(abbreviations[i]) == length &&
		    memcmp(abbreviations[i], word, length) == 0)
			return true;
	return false;
}

/*
 * Returns 'key' in words: hyphens become blanks, each word begins with a capital, and
 * abbreviations are all capitals ("ip-version" is "IP Version").  NULL: memory is short.
 */
static char *
make_name(const char *key, size_t length)
{
	char *name = malloc(length + 1);
	size_t word = 0; /* its length */

	if (name == NULL)
		return NULL;
	memcpy(name, key, length);
	name[length] = '\0';
	for (size_t i = 0; i < length; i += word + 1) {
		const char *hyphen = memchr(key + i, '-', length - i);
		size_t capitals;

		word = hyphen == NULL ? length - i : (size_t)(hyphen - key) - i;
		capitals = is_abbreviation(key + i, word) ? word : word > 0;
		for (size_t j = i; j < i + capitals; j++)
			name[j] = key[j] >= 'a' && key[j] <= 'z' ? (char)(key[j] - 'a' + 'A') : key[j];
		if (hyphen != NULL)
			name[i + word] = ' ';
	}
	return name;
}

/* ---- life ---- */

int
parameter_open(parameter *param, limen_value key, limen_value limit, limen_diag *diag)
{
	int result = LIMEN_ECONFIG;

	if (limen_value_type(limit) != LIMEN_TYPE_OBJECT)
		return parameter_reject(diag, limit, "must be an object that limits one parameter");
	param->key = limen_value_string(key, &param->key_length);
	param->limit = limit;
	param->shape = find_shape(limit, diag);
	if (param->shape != NULL) {
		param->kind = param->shape->kind;
		result = LIMEN_OK;
	}
	result = parameter_first(read_common(param, limit, diag), result);
	if (param->shape != NULL && param->shape->open != NULL)
		result = parameter_first(param->shape->open(param, limit, diag), result);
	if (result == LIMEN_OK)
		param->name = make_name(param->key, param->key_length);
	if (result == LIMEN_OK && param->name == NULL)
		result = LIMEN_ENOMEM;
	if (result != LIMEN_OK)
		parameter_close(param);
	return result;
}

void
parameter_close(parameter *param)
{
	if (param->shape != NULL && param->shape->close != NULL && param->state != NULL)
		param->shape->close(param);
	else
		free(param->state);
	free(param->name);
	*param = (parameter){ .shape = NULL };
}

limen_verdict
parameter_check(const parameter *param, limen_value spec, struct hosts *all, limen_reply *reply)
{
	limen_value value = limen_value_member(spec, param->key, param->key_length);
	limen_verdict verdict;

	if (!limen_value_exists(value) && !param->shape->takes_absent)
		return LIMEN_PASS;
	if (param->shape->check_hosts != NULL)
		verdict = param->shape->check_hosts(param, spec, value, all, reply);
	else
		verdict = param->shape->check(param, spec, value, reply);
	if (verdict == LIMEN_FAIL && limen_reply_wants_bounds(reply))
		missed_tell(param, spec, value, reply);
	return verdict;
}

limen_verdict
parameter_each(const parameter *param, limen_value value, parameter_judge judge, limen_reply *reply)
{
	limen_value element;

	if (limen_value_type(value) != LIMEN_TYPE_ARRAY)
		return judge(param, value, reply);
	if (limen_value_count(value) == 0)
		return parameter_unusable(param, "is an empty list", reply);
	for (limen_iter iter = limen_iter_start(value); limen_iter_next(&iter, NULL, &element);) {
		limen_verdict verdict = judge(param, element, reply);

		if (verdict != LIMEN_PASS)
			return verdict;
	}
	return LIMEN_PASS;
}

limen_verdict
parameter_verdict(const parameter *param, bool within, const char *text, limen_reply *reply)
{
	if (within != param->invert)
		return LIMEN_PASS;
	if (param->fail_message != NULL)
		limen_reply_reason(reply, "%s", param->fail_message);
	else
		limen_reply_reason(reply, "%s %s", param->name, text);
	return LIMEN_FAIL;
}

limen_verdict
parameter_unusable(const parameter *param, const char *text, limen_reply *reply)
{
	limen_reply_reason(reply, "%s %s", param->name, text);
	return LIMEN_ERROR;
}
