/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kube_config.c - the cluster and the user that a context of a kubeconfig names
 * (client-go, tools/clientcmd/api/v1).
 *
 * Credentials that need another program or protocol are refused, not ignored: the API
 * server would take limen for another user.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "../refuse.h"
#include "kube.h"

typedef struct config_reader {
	const kube_choice *choice;
	kube_target *target;
	limen_diag *diag;
	int result;
} config_reader;

static char *
keep(config_reader *reader, char *text)
{
	if (text == NULL)
		reader->result = LIMEN_ENOMEM;
	return text;
}

/* Returns the text of a member, or NULL if there is none, or an empty one. */
static const char *
get_text(config_reader *reader, limen_value object, const char *key)
{
	limen_value member = limen_value_get(object, key);
	size_t length = 0;
	const char *text = limen_value_string(member, &length);

	if (!limen_value_exists(member) || limen_value_type(member) == LIMEN_TYPE_NULL)
		return NULL;
	if (text == NULL || strlen(text) != length) {
		REFUSE(reader, member, "%s must be a string", key);
		return NULL;
	}
	return length == 0 ? NULL : text;
}
/* Returns the member 'inner' of the element of 'list' that is called 'name'. */
static limen_value
find_named(limen_value list, const char *name, const char *inner)
{
	limen_iter iter = limen_iter_start(list);
	limen_value element;

	while (limen_value_type(list) == LIMEN_TYPE_ARRAY &&
	       limen_iter_next(&iter, NULL, &element))
		if (limen_value_is(limen_value_get(element, "name"), name))
			return limen_value_get(element, inner);
	return limen_value_none();
}

static void
read_file_name(config_reader *reader, limen_value object, const char *key, char **out)
{
	const char *name = get_text(reader, object, key);
	const char *directory = reader->choice->directory;

	if (name == NULL)
		return;
	if (*name == '/')
		*out = keep(reader, strdup(name));
	else if (asprintf(out, "%s/%s", directory, name) < 0)
		*out = keep(reader, NULL);
}

/* A file name, or its content; the content counts where both are given, as for kubectl. */
static void
read_pem(config_reader *reader, limen_value object, const char *key, char **text, char **file)
{
	char data_key[64];
	const char *data;
	int result;

	snprintf(data_key, sizeof data_key, "%s-data", key);
	data = get_text(reader, object, data_key);
	if (data == NULL) {
		read_file_name(reader, object, key, file);
		return;
	}
	result = kube_text_decode(data, text);
	if (result == LIMEN_ENOMEM)
		keep(reader, NULL);
	else if (result != LIMEN_OK)
		REFUSE(reader, limen_value_get(object, data_key), "%s is not base64 of a text",
		       data_key);
}

/* Refuses each of 'keys' that is given. */
static void
refuse_keys(config_reader *reader, limen_value object, const char *const *keys)
{
	for (; *keys != NULL; keys++) {
		limen_value member = limen_value_get(object, *keys);

		if (limen_value_exists(member) && limen_value_type(member) != LIMEN_TYPE_NULL)
			REFUSE(reader, member, "limen does not support %s", *keys);
	}
}

static bool
has_scheme(const char *url, const char *scheme)
{
	size_t length = strlen(scheme);

	return strncasecmp(url, scheme, length) == 0 && strncmp(url + length, "://", 3) == 0;
}
static bool
is_url(const char *url)
{
	for (const char *at = url; *at != '\0'; at++)
		if (*at <= ' ' || *at > '~' || strchr("?#@", *at) != NULL)
			return false;
	return has_scheme(url, "https") || has_scheme(url, "http");
}

static void
read_server(config_reader *reader, limen_value cluster)
{
	const char *server = get_text(reader, cluster, "server");
	size_t length;

	if (server == NULL || !is_url(server)) {
		REFUSE(reader, cluster, "the cluster has no server that is an http or https URL");
		return;
	}
	if (!reader->choice->insecure && !has_scheme(server, "https"))
		REFUSE(reader, limen_value_get(cluster, "server"),
		       "the server is not https, so the network can forge its answers: set "
		       "\"insecure\": true in the policy to accept that");
	length = strlen(server);
	while (length > 0 && server[length - 1] == '/')
		length--;
	reader->target->server = keep(reader, strndup(server, length));
}

static void
read_cluster(config_reader *reader, limen_value cluster)
{
	static const char *const strange[] = { "tls-server-name", NULL };
	limen_value insecure = limen_value_get(cluster, "insecure-skip-tls-verify");
	kube_target *target = reader->target;
	const char *proxy = get_text(reader, cluster, "proxy-url");

	refuse_keys(reader, cluster, strange);
	if (limen_value_exists(insecure) && !limen_value_bool(insecure, &target->insecure))
		REFUSE(reader, insecure, "insecure-skip-tls-verify must be true or false");
	if (target->insecure && !reader->choice->insecure)
		REFUSE(reader, insecure,
		       "the server would not be verified: set \"insecure\": true in the policy to "
		       "accept that");
	read_server(reader, cluster);
	read_pem(reader, cluster, "certificate-authority", &target->authority,
	         &target->authority_file);
	if (proxy != NULL)
		target->proxy = keep(reader, strdup(proxy));
}

static void
read_user(config_reader *reader, limen_value user)
{
	static const char *const strange[] = {
		"exec", "auth-provider", "username", "password", "as", "as-uid", "as-groups",
		"as-user-extra", NULL
	};
	kube_target *target = reader->target;
	const char *token = get_text(reader, user, "token");

	refuse_keys(reader, user, strange);
	/* The file counts where both are given, as for kubectl. */
	read_file_name(reader, user, "tokenFile", &target->token_file);
	if (token != NULL && target->token_file == NULL) {
		target->token = keep(reader, strdup(token));
		if (target->token != NULL && !kube_text_is_token(target->token))
			REFUSE(reader, limen_value_get(user, "token"),
			       "the token has characters that a token cannot have");
	}
	read_pem(reader, user, "client-certificate", &target->certificate,
	         &target->certificate_file);
	read_pem(reader, user, "client-key", &target->key, &target->key_file);
	/* Without memory, a member may seem to be missing. */
	if (reader->result != LIMEN_ENOMEM &&
	    (target->certificate != NULL || target->certificate_file != NULL) !=
	            (target->key != NULL || target->key_file != NULL))
		REFUSE(reader, user, "the user has a client certificate without its key, or a key "
		                     "without its certificate");
}

/* Returns the member 'text' of the context, looked up among 'list'. */
static limen_value
follow(config_reader *reader, limen_value config, limen_value context, const char *text,
       const char *list)
{
	const char *name = get_text(reader, context, text);
	limen_value found = limen_value_none();

	if (name == NULL) {
		REFUSE(reader, context, "the context names no %s", text);
		return found;
	}
	found = find_named(limen_value_get(config, list), name, text);
	if (limen_value_type(found) != LIMEN_TYPE_OBJECT) {
		REFUSE(reader, limen_value_get(context, text), "there is no %s \"%s\"", text, name);
		return limen_value_none();
	}
	return found;
}

static void
read_context(config_reader *reader, limen_value config)
{
	const char *name = reader->choice->context;
	limen_value context;
	limen_value cluster;
	limen_value user;

	if (name == NULL)
		name = get_text(reader, config, "current-context");
	if (name == NULL) {
		REFUSE(reader, config, "the kubeconfig has no current-context");
		return;
	}
	context = find_named(limen_value_get(config, "contexts"), name, "context");
	if (limen_value_type(context) != LIMEN_TYPE_OBJECT) {
		REFUSE(reader, config, "the kubeconfig has no context \"%s\"", name);
		return;
	}
	cluster = follow(reader, config, context, "cluster", "clusters");
	user = follow(reader, config, context, "user", "users");
	if (limen_value_exists(cluster) && limen_value_exists(user)) {
		read_cluster(reader, cluster);
		read_user(reader, user);
	}
}

int
kube_target_of_config(limen_value config, const kube_choice *choice, kube_target *out,
                      limen_diag *diag)
{
	config_reader reader = {
		.choice = choice,
		.target = out,
		.diag = diag,
		.result = LIMEN_OK,
	};

	*out = (kube_target){ .server = NULL };
	if (limen_value_type(config) != LIMEN_TYPE_OBJECT)
		REFUSE(&reader, config, "a kubeconfig must be an object");
	else
		read_context(&reader, config);
	if (reader.result != LIMEN_OK)
		kube_target_clear(out);
	return reader.result;
}
