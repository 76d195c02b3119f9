/* SPDX-License-Identifier: Apache-2.0 */
/*
 * descriptors.c - what modules define and no function of liblimen is given, so that
 * it is part of the frozen description of the ABI.
 */
#include <limen/module.h>

LIMEN_API void descriptors(const limen_identifier_module *, const limen_rewriter_module *,
                           const limen_limit_module *, const limen_admission_module *,
                           const limen_prioritizer_module *, const limen_store_module *,
                           limen_option_type);

void
descriptors(const limen_identifier_module *identifier, const limen_rewriter_module *rewriter,
            const limen_limit_module *limit, const limen_admission_module *admission,
            const limen_prioritizer_module *prioritizer, const limen_store_module *store,
            limen_option_type type)
{
	(void)identifier;
	(void)rewriter;
	(void)limit;
	(void)admission;
	(void)prioritizer;
	(void)store;
	(void)type;
}
