/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names.c - validates qualified names, DNS subdomains, DNS labels and resource names.  The
 * rules and the texts of the problems are those of Kubernetes (apimachinery util/validation,
 * core/v1 validation).
 */
#include "range.h"

#include <string.h>

#define SUBDOMAIN_MAX 253
#define LABEL_MAX 63

#define QUALIFIED_RULE                                                                     \
	"must consist of alphanumeric characters, '-', '_' or '.', and must start and end " \
	"with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', "     \
	"regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
#define SUBDOMAIN_RULE                                                                     \
	"a lowercase RFC 1123 subdomain must consist of lower case alphanumeric "          \
	"characters, '-' or '.', and must start and end with an alphanumeric character "   \
	"(e.g. 'example.com', regex used for validation is "                               \
	"'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
#define LABEL_RULE                                                                         \
	"a lowercase RFC 1123 label must consist of lower case alphanumeric characters "   \
	"or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  " \
	"or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"

static void
add_problem(name_problems *out, const char *text)
{
	if (out->count < NAME_PROBLEMS_MAX)
		out->texts[out->count++] = text;
}

/* Character classes of ASCII, whatever the locale. */
static bool
is_lower_alnum(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool
is_alnum(char c)
{
	return is_lower_alnum(c) || (c >= 'A' && c <= 'Z');
}

static bool
is_label(const char *name, size_t length)
{
	if (length == 0 || name[0] == '-' || name[length - 1] == '-')
		return false;
	for (size_t i = 0; i < length; i++)
		if (!is_lower_alnum(name[i]) && name[i] != '-')
			return false;
	return true;
}

static bool
is_subdomain(const char *name, size_t length)
{
	const char *end = name + length;

	for (;;) {
		const char *dot = memchr(name, '.', (size_t)(end - name));
		const char *stop = dot == NULL ? end : dot;

		if (!is_label(name, (size_t)(stop - name)))
			return false;
		if (dot == NULL)
			return true;
		name = dot + 1;
	}
}

static bool
is_name_part(const char *name, size_t length)
{
	if (length == 0 || !is_alnum(name[0]) || !is_alnum(name[length - 1]))
		return false;
	for (size_t i = 0; i < length; i++)
		if (!is_alnum(name[i]) && name[i] != '-' && name[i] != '_' && name[i] != '.')
			return false;
	return true;
}

void
names_check_subdomain(const char *name, size_t length, name_problems *out)
{
	if (length > SUBDOMAIN_MAX)
		add_problem(out, "must be no more than 253 bytes");
	if (!is_subdomain(name, length))
		add_problem(out, SUBDOMAIN_RULE);
}

void
names_check_label(const char *name, size_t length, name_problems *out)
{
	if (length > LABEL_MAX)
		add_problem(out, "must be no more than 63 bytes");
	if (!is_label(name, length))
		add_problem(out, LABEL_RULE);
}

static void
check_prefix(const char *prefix, size_t length, name_problems *out)
{
	if (length == 0) {
		add_problem(out, "prefix part must be non-empty");
		return;
	}
	if (length > SUBDOMAIN_MAX)
		add_problem(out, "prefix part must be no more than 253 bytes");
	if (!is_subdomain(prefix, length))
		add_problem(out, "prefix part " SUBDOMAIN_RULE);
}

void
names_check_qualified(const char *name, size_t length, name_problems *out)
{
	const char *slash = length == 0 ? NULL : memchr(name, '/', length);

	if (slash != NULL) {
		size_t prefix = (size_t)(slash - name);
		size_t rest = length - prefix - 1;

		if (rest > 0 && memchr(slash + 1, '/', rest) != NULL) {
			add_problem(out, "a valid label key " QUALIFIED_RULE
			                 " with an optional DNS subdomain prefix and '/' "
			                 "(e.g. 'example.com/MyName')");
			return;
		}
		check_prefix(name, prefix, out);
		name = slash + 1;
		length = rest;
	}
	if (length == 0)
		add_problem(out, "name part must be non-empty");
	else if (length > LABEL_MAX)
		add_problem(out, "name part must be no more than 63 bytes");
	if (!is_name_part(name, length))
		add_problem(out, "name part " QUALIFIED_RULE);
}

bool
names_is_qualified(const char *name, size_t length)
{
	name_problems problems = { .count = 0 };

	names_check_qualified(name, length, &problems);
	return problems.count == 0;
}

static bool
has_prefix(const char *name, size_t length, const char *prefix)
{
	size_t size = strlen(prefix);

	return length >= size && memcmp(name, prefix, size) == 0;
}

bool
names_is_hugepages(const char *name, size_t length)
{
	return has_prefix(name, length, "hugepages-");
}

static bool
is_among(const char *name, size_t length, const char *const *words)
{
	for (; *words != NULL; words++)
		if (strlen(*words) == length && memcmp(name, *words, length) == 0)
			return true;
	return false;
}

static bool
is_container_resource(const char *name, size_t length)
{
	static const char *const words[] = { "cpu", "memory", "ephemeral-storage", NULL };

	return is_among(name, length, words) || names_is_hugepages(name, length);
}

static bool
is_standard_resource(const char *name, size_t length)
{
	static const char *const words[] = {
		"storage", "requests.cpu", "requests.memory", "requests.ephemeral-storage",
		"limits.cpu", "limits.memory", "limits.ephemeral-storage", "requests.storage",
		"pods", "services", "replicationcontrollers", "resourcequotas", "secrets",
		"configmaps", "persistentvolumeclaims", "services.nodeports",
		"services.loadbalancers", NULL
	};

	return is_container_resource(name, length) || is_among(name, length, words) ||
	       has_prefix(name, length, "requests.hugepages-");
}

static bool
is_native(const char *name, size_t length)
{
	return memchr(name, '/', length) == NULL ||
	       memmem(name, length, "kubernetes.io/", strlen("kubernetes.io/")) != NULL;
}

/*
 * A quota names an extended resource as "requests." and its name, so that must
 * be a qualified name too; if the name itself is one, only the length of the prefix part can
 * make it none.
 */
static bool
is_extended(const char *name, size_t length)
{
	const char *slash = memchr(name, '/', length);

	return !has_prefix(name, length, "requests.") &&
	       (size_t)(slash - name) + strlen("requests.") <= SUBDOMAIN_MAX;
}

void
names_check_resource(const char *name, size_t length, bool of_containers, name_problems *out)
{
	bool bare = memchr(name, '/', length) == NULL;
	bool qualified;

	names_check_qualified(name, length, out);
	qualified = out->count == 0;
	if (qualified && bare && !is_standard_resource(name, length))
		add_problem(out, "must be a standard resource type or fully qualified");
	if (!of_containers)
		return;
	/* These follow problems of the name itself, as in Kubernetes. */
	if (bare && !is_container_resource(name, length))
		add_problem(out, "must be a standard resource for containers");
	if (!bare && !is_native(name, length) && !(qualified && is_extended(name, length)))
		add_problem(out, "doesn't follow extended resource name standard");
}

bool
names_may_overcommit(const char *name, size_t length)
{
	return is_native(name, length) && !names_is_hugepages(name, length);
}
