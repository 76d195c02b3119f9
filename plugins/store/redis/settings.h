/* SPDX-License-Identifier: Apache-2.0 */
/* settings.h - the options of the store, among them the address of Redis. */
#ifndef LIMEN_PLUGINS_STORE_REDIS_SETTINGS_H
#define LIMEN_PLUGINS_STORE_REDIS_SETTINGS_H

#include <limen/module.h>

/* Choices of options, in their order. */
enum { MODE_LEASE, MODE_STRICT };
enum { ON_ERROR_LOCAL, ON_ERROR_ALLOW }; /* the third is to deny */
enum { NEW_IS_FULL, NEW_IS_EMPTY };
enum { FAILOVER_KEEPS, FAILOVER_EMPTIES };

/* A host and port from a list or an answer. */
typedef struct place {
	char host[256];
	int64_t port;
} place;

#define REDIS_PORT 6379
#define SENTINEL_PORT 26379

typedef struct settings {
	const char *url;
	const char *host;
	int64_t port;
	const char *path;
	int64_t database;
	const char *user;
	const char *password;
	const char *password_file;
	limen_strings sentinels;
	const char *master;
	limen_strings cluster;
	const char *sentinel_user;
	const char *sentinel_password_file;
	bool tls;
	const char *ca_file;
	const char *certificate;
	const char *key;
	const char *server_name;
	const char *prefix;
	int mode;
	int on_error;
	int64_t replicas;
	limen_duration timeout;
	limen_duration connect_timeout;
	int64_t connections;
	limen_duration lease_time;
	int64_t lease_least;
	int64_t lease_most;
	int64_t capacity;
	int new_database;
	int after_failover;
	bool keeps_all;
	/* settings_read() sets these, and the members above that a URL gives. */
	const char *sentinel_password; /* NULL: none; likewise 'password' */
	char *owned[3]; /* the URL, cut apart, and the lines of both files */
	place address; /* of a cluster, the first node */
	place *places; /* Sentinels, or nodes of a cluster */
	size_t place_count;
	struct gnutls_certificate_credentials_st *credentials;
	char shown[300]; /* for people: without the password */
} settings;

extern const limen_option settings_options[];

/* Checks the options, and reads the URL and files; settings_clear() is due in any case. */
int settings_read(settings *options, limen_opening *opening, limen_diag *diag);
void settings_clear(settings *options);

#endif
