/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/types.h - the words every other header uses: verdicts, result codes,
 * time, and the names of the opaque objects.
 *
 * Rules for all headers, unless a function says otherwise:
 *
 *  - An "int" that is returned and not described is a limen_result.  On failure
 *    out-parameters are left untouched.
 *  - A function named _new creates an object, the function named _free frees it.
 *    If lack of memory is the only failure, _new returns a pointer, NULL on failure;
 *    otherwise it returns a limen_result.  _free takes NULL.
 *  - Text arguments are copied, or not kept.  Text returned as "const char *" is
 *    borrowed from the object; the caller must free() text returned as "char *".
 *    A function named _to_json or _to_text returns text that the caller frees, _text
 *    returns a borrowed one, and _print fills a buffer of the caller's.
 *  - NULL never crashes, save as the format of a text that is formatted.  A NULL
 *    limen_diag takes no entries.  With any other NULL that is not documented a function does
 *    nothing and returns LIMEN_EINVAL, NULL, false, 0 or none (of a verdict, LIMEN_ERROR), or
 *    LIMEN_ENOMEM where it says so of an object that could not be made.
 *  - Text is UTF-8.  Text with a length may hold NULs; without, it ends at one.
 *  - A limen_time and a limen_duration count microseconds, a limen_deadline nanoseconds.
 *  - A const object may be used by any number of threads at once, others by one
 *    thread at a time.  The header of each object has details.
 */
#ifndef LIMEN_TYPES_H
#define LIMEN_TYPES_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The ABI version of these headers; docs/abi.md has the history. */
#define LIMEN_ABI_MAJOR 1
#define LIMEN_ABI_MINOR 0

/*
 * The minor number that is wanted, for modules and programs that are to work with an older library
 * than these headers are of: define it as that number before the first include.  What is newer is
 * then not declared.
 */
#ifndef LIMEN_ABI_WANT
#define LIMEN_ABI_WANT LIMEN_ABI_MINOR
#elif LIMEN_ABI_WANT > LIMEN_ABI_MINOR
#error "LIMEN_ABI_WANT is newer than these headers of limen: see LIMEN_ABI_MINOR"
#endif

#ifdef __cplusplus
#define LIMEN_BEGIN_DECLS extern "C" {
#define LIMEN_END_DECLS   }
#else
#define LIMEN_BEGIN_DECLS
#define LIMEN_END_DECLS
#endif

/* Marks exported symbols. */
#define LIMEN_API __attribute__((visibility("default")))

/* Lets the compiler check formats: the number of the format, and of its first argument. */
#define LIMEN_PRINTF(text, first) __attribute__((format(printf, text, first)))

/*
 * A module's verdict on one request.  The zero value is "cannot tell", so
 * that forgetting to decide never admits anything; the core treats every value
 * it does not know as LIMEN_ERROR.
 */
typedef enum limen_verdict {
	LIMEN_ERROR = 0, /* could not tell; never inverted, never a pass */
	LIMEN_PASS = 1,  /* identified, within the limit, admitted */
	LIMEN_FAIL = 2,  /* not identified, outside the limit, refused */
	LIMEN_SKIP = 3   /* no opinion: this request is not the module's business */
} limen_verdict;

/*
 * The result of a function of the library.  Zero is success, every
 * failure is negative; details are in the limen_diag the caller passed, if the
 * function takes one.  Functions return an int, so that what they return can be
 * compared, kept and passed on without casts, in C++ too.
 */
typedef enum limen_result {
	LIMEN_OK = 0,
	LIMEN_EINVAL = -1,    /* malformed argument or text */
	LIMEN_ENOMEM = -2,    /* out of memory */
	LIMEN_ECONFIG = -3,   /* the policy has errors */
	LIMEN_EMODULE = -4,   /* a module could not be loaded or opened */
	LIMEN_EIO = -5,       /* a file or the system refused */
	LIMEN_ERANGE = -6,    /* well formed, but outside what can be represented */
	LIMEN_ENOPOLICY = -7, /* the engine holds no policy */
	LIMEN_ENOENT = -8,    /* no such thing */
	LIMEN_EACCES = -9     /* the sender may not say this */
} limen_result;

LIMEN_BEGIN_DECLS

/*
 * Returns a short English text for 'result', what a function returned; one for
 * numbers that are none of the above too.  Static; never NULL.
 */
LIMEN_API const char *limen_result_text(int result);

/*
 * Returns the version of the library in use, "1.0.0", which need not be that of
 * the headers (LIMEN_VERSION); stores its ABI numbers (docs/abi.md), which a
 * program asks for that finds the library when it runs.  Either may be NULL.
 * Static.
 */
LIMEN_API const char *limen_version(unsigned *abi_major, unsigned *abi_minor);
LIMEN_END_DECLS

/* A point in time: microseconds since 1970-01-01T00:00:00Z. */
typedef int64_t limen_time;

/* A length of time: microseconds, never rounded to anything coarser. */
typedef int64_t limen_duration;

/* When to give up: nanoseconds of limen_host_monotonic(); INT64_MAX is never. */
typedef int64_t limen_deadline;

/* One second, as a length of time. */
#define LIMEN_SECOND INT64_C(1000000)

/*
 * The kind of request.  A task (pScheduler) and an HTTP request need an application that
 * passes; an object (Kubernetes) is admitted unless an admission entry refuses
 * it.  The caller says which; the content of a request never does.
 */
typedef enum limen_subject {
	LIMEN_SUBJECT_TASK = 0,
	LIMEN_SUBJECT_OBJECT = 1,
	LIMEN_SUBJECT_HTTP = 2 /* an HTTP request in front of an API: limen_http_read() */
} limen_subject;

/* The kinds of module, in the order a decision meets them. */
typedef enum limen_kind {
	LIMEN_KIND_IDENTIFIER = 1,
	LIMEN_KIND_REWRITER = 2,
	LIMEN_KIND_LIMIT = 3,
	LIMEN_KIND_ADMISSION = 4,
	LIMEN_KIND_PRIORITIZER = 5,
	LIMEN_KIND_STORE = 6
} limen_kind;

LIMEN_BEGIN_DECLS
/*
 * Returns the name of 'kind' as policies and directories spell it, "identifier";
 * NULL for what is none.  Static.
 */
LIMEN_API const char *limen_kind_name(limen_kind kind);
LIMEN_END_DECLS

/* The objects, each of which belongs to the header that makes it. */
typedef struct limen_diag limen_diag;
typedef struct limen_path limen_path;
typedef struct limen_request limen_request;
typedef struct limen_reply limen_reply;
typedef struct limen_decision limen_decision;
typedef struct limen_engine limen_engine;
typedef struct limen_host limen_host;
typedef struct limen_store limen_store;
typedef struct limen_table limen_table;
typedef struct limen_cidr_set limen_cidr_set;
typedef struct limen_string_match limen_string_match;

#endif
