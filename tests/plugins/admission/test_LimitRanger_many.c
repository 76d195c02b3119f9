/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_LimitRanger_many.c - what a tenant's own LimitRanges and pods can multiply: violations
 * and defaults are bounded, and so is the memory they take.
 */
#include "peak.h"
#include "ranger_pod.h"

/* LimitRanges of one item each, with the list 'key' of so many resources. */
static struct text
write_ranges(int count, const char *key, int resources)
{
	struct text ranges;

	ranges.out = open_memstream(&ranges.at, &ranges.length);
	for (int i = 0; i < count; i++) {
		fprintf(ranges.out, "%s{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\","
		                    "\"metadata\":{\"name\":\"r%d\"},\"spec\":{\"limits\":"
		                    "[{\"type\":\"Container\",\"%s\":{",
		        i == 0 ? "" : ",", i, key);
		for (int j = 0; j < resources; j++)
			fprintf(ranges.out, "%s\"a/%d\":\"2\"", j == 0 ? "" : ",", j);
		fputs("}}]}}", ranges.out);
	}
	fclose(ranges.out);
	return ranges;
}

/* Of a tenant's own making: a million violations are refused as a thousand are. */
static void
test_memory_of_violations(void)
{
	struct text ranges = write_ranges(1, "maxLimitRequestRatio", 1000);
	long before = get_peak();
	limen_decision *decision;
	struct text pod;

	write_containers(&pod, 1000, 0);
	decision = decide_by("", ranges.at, "1,000,000 violations", &pod, false);
	ASSERT(get_peak() - before < 128 * 1024, "%ld KiB", get_peak() - before);
	CU_ASSERT_PTR_NOT_NULL(limen_decision_violation(decision, 1000));
	CU_ASSERT_PTR_NULL(limen_decision_violation(decision, 1001));
	limen_decision_free(decision);
	free(ranges.at);
}

/* The same of several LimitRanges is told once, but costs as much as anything else. */
static void
test_repeated_violations(void)
{
	static const struct {
		int ranges, containers;
		const char *last; /* NULL: there is none */
	} cases[] = { { 80, 125, NULL }, /* 10,001 is 73 times 137 */
		      { 73, 137, "only the first 10000 violations are examined" } };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct text ranges = write_ranges(cases[i].ranges, "maxLimitRequestRatio", 1);
		size_t containers = (size_t)cases[i].containers;
		const limen_violation *last;
		limen_decision *decision;
		struct text pod;

		write_containers(&pod, cases[i].containers, 0);
		decision = decide_by("\"report\":\"all\"", ranges.at, "again and again", &pod, false);
		CU_ASSERT_PTR_NOT_NULL(limen_decision_violation(decision, containers - 1));
		last = limen_decision_violation(decision, containers);
		ASSERT((last == NULL) == (cases[i].last == NULL) &&
		               (last == NULL || strcmp(last->message, cases[i].last) == 0),
		       "%d times: %s", cases[i].ranges, last == NULL ? "-" : last->message);
		limen_decision_free(decision);
		free(ranges.at);
	}
}

/* An object of 1.5 MiB is the largest that etcd takes. */
static void
test_many_defaults(void)
{
	static const struct {
		int containers;
		bool admitted;
	} cases[] = { { 5000, true }, { 5001, false } };
	/* A limit is given as the request, too. */
	struct text ranges = write_ranges(1, "default", 5);

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		limen_decision *decision;
		struct text pod;

		write_containers(&pod, cases[i].containers, 0);
		decision = decide_by("", ranges.at, "50,000 defaults", &pod, cases[i].admitted);
		if (!cases[i].admitted) {
			CU_ASSERT_EQUAL(limen_decision_code(decision), 500);
			ASSERT(strstr(limen_decision_reason(decision),
			              "LimitRanges give a pod at most 50000 values") != NULL,
			       "%s", limen_decision_reason(decision));
		}
		limen_decision_free(decision);
	}
	free(ranges.at);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "1,000,000 violations take no more memory than 10,000", test_memory_of_violations },
		{ "violations that several LimitRanges repeat", test_repeated_violations },
		{ "50,000 defaults", test_many_defaults },
		{ NULL, NULL }
	};

	return suite_run("plugins/LimitRanger_many", tests);
}
