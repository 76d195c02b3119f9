/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jq.h - runs jq scripts for modules: liblimen-jq, a library of limen's own
 * modules that is no part of the ABI.
 *
 * A script is compiled once and may then be run by any number of threads at
 * once.  It runs in a worker process, bounded in time and memory, sees no
 * environment and reads only its input.  README.md lists what a script may do,
 * and describes scripts that run in this process.
 *
 * A jv belongs to one thread: a value returned here must stay on the calling
 * thread.
 */
#ifndef LIMEN_SUPPORT_JQ_H
#define LIMEN_SUPPORT_JQ_H

#include <jv.h>
#include <limen/module.h>

typedef struct jq_script jq_script;

/* The process that runs a script; zero takes the setting "jq-sandbox". */
typedef enum jq_sandbox {
	JQ_SANDBOX_DEFAULT = 0,
	JQ_SANDBOX_PROCESS = 1, /* in workers that it shares with no other script */
	JQ_SANDBOX_NONE = 2     /* in this process, without bounds */
} jq_sandbox;

/* How a module runs an operator's script. */
typedef struct jq_setup {
	/* Definitions before the script ("def hint($n): ...; "); may be NULL. */
	const char *prelude;
	/* Refuses a script without an expression: limen pipes into it. */
	bool needs_expression;
	/* Does the script have hint(NAME)?  Then it is run by jq_run_for(). */
	bool hints;
	/* No decision runs the script, so its process does not make the module blocking. */
	bool in_background;
	limen_duration timeout; /* longest run; 0: the setting of the process, or 1 s */
	int sandbox;            /* jq_sandbox */
	/*
	 * Names that the script's input never has; a script that uses one gets a
	 * note, or a warning if it reads nothing else.  Rows end with a NULL path; may be NULL.
	 */
	const struct jq_stranger *strangers;
	bool strangers_exist; /* one of them does, though not in pScheduler: notes only */
	bool reads_hints;     /* the input is the hints */
} jq_setup;

/*
 * A path an operator might take for part of the input, or a function that means
 * something else to pScheduler, and what to say about it.
 */
typedef struct jq_stranger {
	const char *path; /* ".task.type": fields from the input's root; "name": a function */
	const char *text; /* after "The script looks at .task.type, " or "... calls name(), " */
} jq_stranger;

/* The words of the option "sandbox", in the order of jq_sandbox. */
LIMEN_API extern const char *const jq_sandbox_words[];

/*
 * Compiles 'transform'.  Problems, with their place in the script, go to 'diag'.
 * Returns LIMEN_OK or another result.  'opening' may be NULL (tests).
 */
LIMEN_API int jq_script_open(const jq_setup *setup, const limen_transform *transform,
                             limen_opening *opening, limen_diag *diag, jq_script **out);

/* Nothing may be running it any more.  NULL is fine. */
LIMEN_API void jq_script_close(jq_script *script);

/* The instance of a module whose data is a jq transform, the table of its options, and methods. */
typedef struct jq_instance {
	limen_transform transform;
	limen_duration timeout;
	int sandbox;
	jq_script *script;
} jq_instance;

LIMEN_API extern const limen_option jq_instance_options[];

/* As jq_script_open(); the timeout and the sandbox are those of the instance. */
LIMEN_API int jq_instance_open(jq_instance *self, const jq_setup *setup, limen_opening *opening,
                               limen_diag *diag);
LIMEN_API void jq_instance_close(void *self);

typedef enum jq_outcome {
	JQ_FAILED = 0, /* 'error' says why; also if earlier outputs were good */
	JQ_VALUE,      /* 'value' is the first output; the others were good too */
	JQ_NOTHING     /* no output, or halted */
} jq_outcome;

typedef struct jq_result {
	jq_outcome outcome;
	jv value;    /* valid only for JQ_VALUE */
	char *error; /* NULL: memory is short, or the outcome is another */
} jq_result;

/*
 * Runs 'script' on 'input', which is consumed.  It ends at the time-out of the
 * script or at 'deadline' (limen_host_monotonic(); INT64_MAX: none), whichever
 * is first.  An invalid 'input' is a failure with its message.  With
 * output-raw, an output that is no string is the text of its JSON.
 */
LIMEN_API void jq_run(jq_script *script, jv input, limen_deadline deadline, jq_result *out);

/*
 * As jq_run(), with the deadline of 'req', whose hints the script may ask for:
 * hint(NAME) is one of them, or null.
 */
LIMEN_API void jq_run_for(jq_script *script, const limen_request *req, jv input, jq_result *out);

/* Frees what the result owns; the outcome becomes JQ_FAILED. */
LIMEN_API void jq_result_clear(jq_result *result);

/*
 * Returns the error message, never NULL.  Without an output it is Python's, for the first of
 * no outputs.
 */
LIMEN_API const char *jq_result_error(const jq_result *result);

/*
 * As jq_run(), but hands every output to 'each', which consumes it and is called
 * on the calling thread.  '*error' (may be NULL) is for the caller to free; it is
 * NULL unless the outcome is JQ_FAILED.
 */
LIMEN_API jq_outcome jq_run_each(jq_script *script, jv input, limen_deadline deadline,
                                 void (*each)(jv output, void *data), void *data, char **error);

/*
 * The documents of a request as jq values, converted once per generation and
 * thread; the caller frees its copy.  A document too large or too deep gives an
 * invalid value with a message.
 */
LIMEN_API jv jq_document(const limen_request *req); /* the newest */
LIMEN_API jv jq_original(const limen_request *req); /* as received */
LIMEN_API jv jq_hints(const limen_request *req);    /* an object */

/* Converts 'value'; numbers become doubles.  None becomes null. */
LIMEN_API jv jq_from_value(limen_value value);

/*
 * Returns false if the JSON has too many values for a script; members that are comments count.
 * Call this before reading a text from others.
 */
LIMEN_API bool jq_text_fits(const char *text, size_t length);

/*
 * Prints 'value' (consumed) as compact JSON into memory the caller frees.
 * Returns NULL when memory is short, and for values that hold a NaN or an
 * infinity, which JSON has no words for.
 */
LIMEN_API char *jq_to_json(jv value);

/*
 * Prints 'value' (consumed) as Python's str() does: strings as they are, True,
 * None, {'a': [1]}.  Returns memory the caller frees, or NULL.
 */
LIMEN_API char *jq_to_text(jv value);

#endif
