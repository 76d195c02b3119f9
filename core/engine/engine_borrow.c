/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_borrow.c - the policy in force, taken hold of.
 *
 * A thread that decides says so in a place of its own and then looks whether the
 * policy is still the one in force (Michael, "Hazard Pointers: Safe Memory
 * Reclamation for Lock-Free Objects", 2004).  Whoever frees policies exchanges
 * the one in force first and looks at those places afterwards.  All four accesses
 * are in one order for all threads, so either the one sees the other's place
 * filled, or the other sees the new policy.
 */
#include "engine.h"

policy *
engine_hold(limen_engine *engine)
{
	policy *held;

	pthread_mutex_lock(&engine->swap);
	held = atomic_load_explicit(&engine->current, memory_order_relaxed);
	if (held != NULL)
		policy_ref(held);
	pthread_mutex_unlock(&engine->swap);
	return held;
}

/* The place of this thread; NULL if it has none, or uses it: an embedder may ask while it is asked. */
static borrower *
find_place(limen_engine *engine)
{
	unsigned slot = thread_slot();
	borrower *own = slot < THREAD_SLOTS ? &engine->borrowers[slot] : NULL;

	if (own == NULL || atomic_load_explicit(&own->policy, memory_order_relaxed) != NULL)
		return NULL;
	return own;
}

loan
engine_borrow(limen_engine *engine)
{
	borrower *own = find_place(engine);
	policy *seen;
	policy *wanted;

	if (own == NULL)
		return (loan){ engine_hold(engine), NULL };
	wanted = atomic_load_explicit(&engine->current, memory_order_relaxed);
	do {
		seen = wanted;
		atomic_store(&own->policy, seen);
		wanted = atomic_load(&engine->current);
	} while (seen != wanted);
	return (loan){ seen, own };
}

void
engine_return(const loan *lent)
{
	if (lent->by != NULL)
		atomic_store_explicit(&lent->by->policy, NULL, memory_order_release);
	else if (lent->policy != NULL)
		policy_unref(lent->policy);
}

bool
engine_is_lent(limen_engine *engine, const policy *old)
{
	for (size_t i = 0; i < THREAD_SLOTS; i++) {
		if (atomic_load(&engine->borrowers[i].policy) == old)
			return true;
	}
	return false;
}
