/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile.h - compiles the files of a policy.
 *
 * compile.c holds the order of the parts; each part has its own file and works on the
 * context below.
 */
#ifndef LIMEN_CORE_POLICY_COMPILE_H
#define LIMEN_CORE_POLICY_COMPILE_H

#include "compiled.h"
#include "option/option.h"

#define MODULES_KNOWN 16

/* The parts of an engine that every compilation of a policy needs. */
typedef struct policy_inputs {
	module_path path;       /* directories of the engine, then the one of installed modules */
	const char *namespace;  /* of manifests that name none; NULL: none was given */
	bool memory_stores;     /* every store is replaced by one in memory */
	bool enforce;           /* admission entries that warn or audit refuse */
	background *background; /* runs the jobs of instances */
	tried_inputs tried;     /* what a failed load has tried to read */
} policy_inputs;

/* The state of one compilation. */
typedef struct compile_context {
	policy_inputs *inputs;
	const policy *old; /* its instances may be carried over; may be NULL */
	policy *policy;    /* under construction */
	int schema;
	limen_diag *diag;
	options_context options; /* of entries: what they point to is the policy's */
	bool module_failed; /* a module exists but does not load */
	bool path_told;     /* a message has named the module directories */
	unsigned guesses;   /* suggestions made for unknown names; name_lookup.c */
	/* Modules found without a warning in this load: thousands of entries may share a type. */
	const module *modules[MODULES_KNOWN];
	size_t module_count;
} compile_context;

/*
 * Compiles 'files', which it takes over also when it fails.  Returns a policy
 * with one reference, or NULL with every problem in 'diag' and '*result' set.
 */
policy *policy_compile(conf *files, policy_inputs *inputs, const policy *old, int *result,
                       limen_diag *diag);

/* ---- the parts of compiling, one file each; all report and return nothing ---- */

void compile_settings(compile_context *context);
void compile_stores(compile_context *context);
void compile_identifiers(compile_context *context);
void compile_classifiers(compile_context *context);
void compile_limits(compile_context *context);
void compile_applications(compile_context *context);
void compile_admission(compile_context *context);
void compile_templates(compile_context *context);
void compile_subjects(compile_context *context); /* applications-on, admission-on */
void compile_scripts(compile_context *context); /* rewrite, priority */
void compile_notes(compile_context *context);
void compile_lint(compile_context *context);

/* Fills the texts of a policy that is complete otherwise: report_text.c. */
void compile_wording(compile_context *context);

/* ---- shared by them (compile_shared.c) ---- */

/* The keys of entries by section, as limen_policy_option() shows them. */
extern const limen_option compile_identifier_rows[], compile_classifier_rows[],
	compile_limit_rows[], compile_application_rows[], compile_group_rows[],
	compile_admission_rows[], compile_store_rows[];

/* The words that "enforce" may have in a limit or an application; the index of "audit" is 1. */
extern const char *const compile_enforce_words[];

/* Room for 'count' zeroed things in the policy's memory; reports a shortage. */
void *compile_alloc(compile_context *context, size_t count, size_t size);

/* Returns 'data', or an empty object if the entry at 'where' has none. */
limen_value compile_data(compile_context *context, limen_value data, limen_value where);

/* Reports that memory is short. */
void compile_no_memory(compile_context *context, limen_value where);

/* Fills in where 'target' stands. */
void compile_place(entry *target, limen_value where);

/* Compiles the entries of the section 'which', each with 'compile', into 'entries'. */
void compile_section(compile_context *context, section which, entry_list *entries,
                     void (*compile)(compile_context *context, entry *target, limen_value value));

/* Is 'name' given (not NULL) and new among 'known'?  A duplicate at 'where' is reported. */
bool compile_is_new(compile_context *context, entry_list *known, const char *noun,
                    const char *name, limen_value where);

/* Reports that 'name' at 'where' is that of the entry at 'first', and where that one stands. */
void compile_duplicate(compile_context *context, const char *noun, const char *name,
                       limen_value where, limen_value first);

/* ---- modules and instances (compile_instance.c) ---- */

/*
 * Opens, or carries over, the instance of 'target'; the caller has set its name, type
 * and data.  'noun' names the kind of entry in messages ("Limit").  Leaves
 * target->instance NULL after a problem.
 */
void compile_instance(compile_context *context, limen_kind kind, section which, const char *noun,
                      entry *target, limen_value data);

/* Opens tables beside those of the limit 'target', for what is rehearsed. */
void compile_rehearsal(compile_context *context, const entry *target);

/* Checks 'data' as compile_instance() does, but opens nothing; false after a problem. */
bool compile_options(compile_context *context, limen_kind kind, const char *noun,
                     const entry *target, limen_value data);

/* ---- functions that the parts call on each other ---- */

/*
 * The store 'name' (NULL: the default) of the policy under construction.  An
 * unknown one is a problem at 'where', or no problem if that is none.
 */
limen_store *compile_find_store(void *context, const char *name, limen_value where);

/* The index of the classifier 'name', or CLASSIFIER_ANYONE after a report at 'where'. */
size_t compile_find_classifier(compile_context *context, const char *name, limen_value where);

/*
 * The index of the classifier of the identifier 'name' alone, or CLASSIFIER_ANYONE after a report at
 * 'where'.
 */
size_t compile_find_of_identifier(compile_context *context, const char *name, limen_value where);

/*
 * Has the policy under construction the classifier 'name'?  An unknown one is a
 * problem at 'where', or no problem if that is none.
 */
bool compile_asks_classifier(void *context, const char *name, limen_value where);

/* Returns the code of a jq script, without its comments, to free(); NULL: no memory. */
char *compile_script_code(limen_value script);

/* Warns of calls of classifiers_has() in 'script', which may be NULL, for unknown classifiers. */
void compile_check_script(compile_context *context, const entry *script);

/* Returns true if 'rule' has no terms: it then matches every request. */
bool compile_match_is_empty(const match *rule);

/* Fills 'target' from the value of "match"; reports and returns false if it is invalid. */
bool compile_match(compile_context *context, match *target, limen_value value);

/*
 * The data of an admission entry with the manifests for 'which' as its member
 * "manifests"; 'data' may be none.  NULL after a report.
 */
document *compile_manifests(compile_context *context, manifest_plugin which, limen_value data);

#endif
