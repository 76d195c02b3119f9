/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kube.h - the objects of one resource of a Kubernetes cluster, listed once and
 * watched from then on (Kubernetes API concepts, "Efficient detection of
 * changes").
 *
 * A target holds the API server's URL and the credentials; kube_watch_run() keeps its
 * listener up to date until it is stopped.  Everything a server sends is bounded:
 * answers, lines, objects, pages, and the time they take.  The sources are compiled
 * into each module that lists them; all of them need
 * $(CURL_CFLAGS) and $(CURL_LIBS).
 */
#ifndef LIMEN_KUBE_H
#define LIMEN_KUBE_H

#include <limen/diag.h>
#include <limen/documents.h>
#include <limen/value.h>

#define KUBE_ERROR_MAX 512
#define KUBE_VERSION_MAX 128

/* The directory that holds the service account of a pod. */
#define KUBE_SERVICE_ACCOUNT "/var/run/secrets/kubernetes.io/serviceaccount"

/*
 * An API server, and credentials.  All texts are owned; NULL: not given.  Files are
 * read at each connection, because they rotate.
 */
typedef struct kube_target {
	char *server; /* URL without a final slash */
	char *authority; /* PEM; NULL and no file: the authorities of the system */
	char *authority_file;
	char *certificate;
	char *certificate_file;
	char *key;
	char *key_file;
	char *token;
	char *token_file;
	char *proxy;
	bool insecure; /* the server's certificate is not verified */
} kube_target;

/*
 * The API server that the environment of a pod names, with the service account in
 * 'directory'.  Returns LIMEN_OK, LIMEN_ENOENT with 'why' if there is none, or
 * LIMEN_ENOMEM.
 */
int kube_target_of_pod(const char *directory, kube_target *out, char why[KUBE_ERROR_MAX]);

/* Options for reading a kubeconfig. */
typedef struct kube_choice {
	const char *context;   /* NULL: the current one */
	const char *directory; /* of the file: its relative file names start there */
	bool insecure;         /* plain http and servers that are not verified are fine */
} kube_choice;

/*
 * The target a kubeconfig names.  Returns LIMEN_OK, LIMEN_ECONFIG with the problem in
 * 'diag', or LIMEN_ENOMEM.
 */
int kube_target_of_config(limen_value config, const kube_choice *choice, kube_target *out,
                          limen_diag *diag);

void kube_target_clear(kube_target *target);

/* Timeouts and retry delays, in microseconds. */
typedef struct kube_times {
	limen_duration connect;
	limen_duration answer;    /* a page of a list; the head of any answer */
	limen_duration line;      /* from the first to the last byte of an event */
	limen_duration watch;     /* a watch, at least; at most twice as long */
	limen_duration retry;     /* the first pause after a failure */
	limen_duration retry_max;
} kube_times;

extern const kube_times kube_times_usual;

/* Things that are counted. */
typedef enum kube_event {
	KUBE_LIST,
	KUBE_WATCH,
	KUBE_CHANGE, /* of an object */
	KUBE_RESTART /* after a failure */
} kube_event;

/* Callbacks, called on the thread of kube_watch_run(). */
typedef struct kube_listener {
	void *data;
	bool (*stopping)(void *data);
	/* A list begins.  Objects that it has not named at its end are gone. */
	void (*begin)(void *data);
	/*
	 * An object is new or has changed; it is valid until this returns, like the page it
	 * came with.  Returns false, with 'why', if it cannot be kept.
	 */
	bool (*put)(void *data, limen_value object, char why[KUBE_ERROR_MAX]);
	bool (*drop)(void *data, limen_value object, char why[KUBE_ERROR_MAX]);
	/* All changes so far have been reported; 'listed': a list has ended. */
	bool (*commit)(void *data, bool listed, char why[KUBE_ERROR_MAX]);
	/* Reports an error that keeps the listener out of date; NULL: it is over. */
	void (*tell)(void *data, const char *error);
	void (*count)(void *data, kube_event event);
	/*
	 * Returns true to get another list at once.  It is called after each commit, and when
	 * a watch has ended; the list does not count as a failure.  May be NULL.
	 */
	bool (*again)(void *data);
	/*
	 * Returns true to end a pause after a failure, unless the server asked for the pause or
	 * refused the request (4xx).  It is called about once a second; the pause lasts a second
	 * at least, or as long as it is due.  May be NULL.
	 */
	bool (*hurry)(void *data);
} kube_listener;

typedef struct kube_watch {
	const kube_target *target;
	const char *path; /* "/api/v1/limitranges" */
	const kube_times *times;
	int stop_fd; /* can be read once 'stopping' is true; -1: none */
	kube_listener listener;
} kube_watch;

/* Returns soon after 'stopping' is true, and not before. */
void kube_watch_run(const kube_watch *watch);

/* ---- kube_text.c: small things with texts and files ---- */

/* Writes the message into 'why', cut if need be, and returns false. */
bool kube_text_fail(char why[KUBE_ERROR_MAX], const char *format, ...) LIMEN_PRINTF(2, 3);

/*
 * Reads a regular file of at most 'max' bytes.  Returns NUL-terminated memory the
 * caller frees, or NULL with 'why'.
 */
char *kube_text_read(const char *path, size_t max, char why[KUBE_ERROR_MAX]);

/*
 * Decodes base64 (RFC 4648, section 4); line ends do not count.  Returns LIMEN_OK,
 * LIMEN_EINVAL if it is none or holds a NUL, or LIMEN_ENOMEM; '*out' is NULL then.
 */
int kube_text_decode(const char *text, char **out);

/* Cuts blanks and line ends off the end; is the rest something a header may hold? */
bool kube_text_is_token(char *text);

/* Writes 'text' with everything but letters, digits, "-", "." and "_" escaped (RFC 3986). */
bool kube_text_escape(const char *text, char *out, size_t size);

#endif
