/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranger_cluster.h - for tests of the option "cluster": an engine that follows the LimitRanges of
 * an API server of the tests.
 */
#ifndef LIMEN_TESTS_PLUGINS_RANGER_CLUSTER_H
#define LIMEN_TESTS_PLUGINS_RANGER_CLUSTER_H

#include <poll.h>
#include <stdatomic.h>

#include "kube_server.h"
#include "ranger_case.h"

enum { SECONDS = 60 };

#define TWO POD(CONTAINER("c", "{\"limits\":{\"cpu\":2}}"))
#define TELL "admission entry 'r' cannot tell: "
#define SAID(max) "maximum cpu usage per Pod is " max ", but limit is 2"
#define MAX(max) "{\"spec\":{\"limits\":[{\"type\":\"Pod\",\"max\":{\"cpu\":\"" max "\"}}]}}"

static struct kube_server *server;
__attribute__((unused)) static const struct ranger_envelope in_default = { .namespace = "default" };
__attribute__((unused)) static const struct ranger_envelope in_other = { .namespace = "other" };
__attribute__((unused)) static const struct ranger_envelope in_third = { .namespace = "third" };

static inline bool
renew_server(void)
{
	if (server == NULL)
		server = kube_server_start();
	if (server != NULL)
		kube_server_tell(server, "reset");
	return server != NULL;
}

/* Writes DIRECTORY/config; 'cluster' and 'user' are members in YAML. */
static inline void
write_config(const char *cluster, const char *user)
{
	char path[512];
	FILE *out;

	snprintf(path, sizeof path, "%s/config", kube_server_directory(server));
	out = fopen(path, "w");
	if (out == NULL)
		abort();
	fprintf(out,
	        "apiVersion: v1\nkind: Config\nclusters:\n"
	        "- {name: c, cluster: {server: \"https://127.0.0.1:%u\", %s}}\n"
	        "- {name: plain, cluster: {server: \"http://127.0.0.1:1\"}}\n"
	        "users:\n- {name: u, user: {%s}}\n"
	        "contexts:\n- {name: x, context: {cluster: c, user: u}}\n"
	        "- {name: plain, context: {cluster: plain, user: u}}\n"
	        "- {name: lost, context: {cluster: nowhere, user: u}}\n"
	        "current-context: x\n",
	        kube_server_port(server), cluster, user);
	if (fclose(out) != 0)
		abort();
}

/*
 * Loads an entry with the further options 'options', and the entries 'more' behind it; the
 * problems are in 'diag'.
 */
static inline int
load_before(limen_engine *engine, const char *cluster, const char *options, const char *more,
            limen_diag *diag)
{
	char policy[2048];

	snprintf(policy, sizeof policy,
	         "{\"schema\":4,\"admission\":[{\"name\":\"r\",\"plugin\":\"LimitRanger\",\"data\":"
	         "{\"cluster\":%s%s}}%s]}", cluster, options, more);
	return limen_engine_load_text(engine, "policy", policy, strlen(policy), diag);
}

static inline int
load(limen_engine *engine, const char *cluster, const char *options, limen_diag *diag)
{
	return load_before(engine, cluster, options, "", diag);
}

/* Lines of the log that say that there is no room. */
__attribute__((unused)) static atomic_uint named_lines;
__attribute__((unused)) static atomic_uint other_lines;

static inline void
take_line(void *data, limen_log_level level, const char *source, const char *text)
{
	(void)data;
	(void)level;
	(void)source;
	if (strstr(text, "has more than 256 KiB of LimitRanges") != NULL)
		atomic_fetch_add(&named_lines, 1);
	if (strcmp(text, "4 more namespaces have too much") == 0)
		atomic_fetch_add(&other_lines, 1);
}

static inline limen_engine *
new_engine(void)
{
	const char *modules = getenv("LIMEN_MODULE_PATH");
	const char *build = getenv("LIMEN_BUILDDIR");
	char path[4096];
	limen_engine_options settings = {
		.size = sizeof settings,
		.module_path = path,
		.log = take_line,
	};
	limen_engine *engine;

	snprintf(path, sizeof path, "%s:%s/tests/modules", modules == NULL ? "plugins" : modules,
	         build == NULL ? "." : build);
	engine = limen_engine_new(&settings);
	if (engine == NULL)
		abort();
	return engine;
}

/* The option for the kubeconfig that was written, with further members. */
static inline const char *
kubeconfig(const char *more)
{
	static char option[1024];

	snprintf(option, sizeof option, "{\"kubeconfig\":\"%s/config\"%s}",
	         kube_server_directory(server), more);
	return option;
}

static inline limen_engine *
open_cluster(const char *more, const char *options)
{
	limen_engine *engine = new_engine();

	write_config("certificate-authority: ca.crt", "tokenFile: token");
	CU_ASSERT_EQUAL(load(engine, kubeconfig(more), options, NULL), LIMEN_OK);
	return engine;
}

static inline void
put(const char *namespace, const char *name, const char *object)
{
	kube_server_tell(server, "put %s %s %s", namespace, name, object);
}

/* Decides until the violations are 'expected'. */
static inline void
wait_for(limen_engine *engine, const char *about, const struct ranger_envelope *where,
         const char *expected)
{
	char found[RANGER_TEXT] = "";
	bool same = false;

	for (int i = 0; i < SECONDS * 100 && !same; i++) {
		limen_decision *decision = ranger_decide(engine, TWO, where);

		ranger_messages(decision, found);
		limen_decision_free(decision);
		same = strcmp(found, expected) == 0;
		if (!same)
			poll(NULL, 0, 10);
	}
	ASSERT(same, "%s: '%s', want '%s'", about, found, expected);
}

/* Waits until the status holds 'part'. */
static inline void
wait_for_status(limen_engine *engine, const char *part)
{
	bool same = false;
	char *text = NULL;

	for (int i = 0; i < SECONDS * 100 && !same; i++) {
		free(text);
		text = limen_engine_describe(engine, 0, NULL);
		same = text != NULL && strstr(text, part) != NULL;
		if (!same)
			poll(NULL, 0, 10);
	}
	ASSERT(same, "%s, want %s", text == NULL ? "nothing" : text, part);
	free(text);
}

#endif
