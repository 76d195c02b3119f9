/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_LimitRanger_totals.c - what a pod as a whole asks for, by the rule of
 * Kubernetes 1.28 and later.
 */
#include "ranger_case.h"

#include <limen/quantity.h>

#define INIT_POD(containers, init)                                                   \
	"{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":[" \
	containers "],\"initContainers\":[" init "]}}"
#define REQ(value) "{\"resources\":{\"requests\":{\"cpu\":\"" value "\"}}}"
#define SIDECAR(value)                                                               \
	"{\"restartPolicy\":\"Always\",\"resources\":{\"requests\":{\"cpu\":\"" value \
	"\"}}}"
#define TOTAL(value) "minimum cpu usage per Pod is 1k, but request is " value

struct total_case {
	const char *about;
	const char *pod;
	const char *message;
};

static void
test_rules(void)
{
	static const struct total_case cases[] = {
		{ "containers add up", POD(REQ("1") "," REQ("500m")), TOTAL("1500m") },
		{ "one without a value counts nothing", POD(REQ("1") ",{}"), TOTAL("1") },
		{ "a small init container", INIT_POD(REQ("1") "," REQ("1"), REQ("1")), TOTAL("2") },
		{ "a large one", INIT_POD(REQ("1") "," REQ("1"), REQ("3")), TOTAL("3") },
		{ "init containers do not add up", INIT_POD(REQ("1"), REQ("2") "," REQ("2")),
		  TOTAL("2") },
		{ "sidecars add to containers", INIT_POD(REQ("1"), SIDECAR("2") "," SIDECAR("3")),
		  TOTAL("6") },
		{ "an init container behind a sidecar",
		  INIT_POD(REQ("1"), SIDECAR("2") "," REQ("4")),
		  TOTAL("6") },
		{ "an init container before it", INIT_POD(REQ("1"), REQ("4") "," SIDECAR("2")),
		  TOTAL("4") },
		{ "between sidecars",
		  INIT_POD(REQ("1"), SIDECAR("1") "," REQ("9") "," SIDECAR("5")), TOTAL("10") },
		{ "only an init container has it", INIT_POD("{}", REQ("2")), TOTAL("2") },
		{ "only a sidecar has it", INIT_POD("{}", SIDECAR("2")), TOTAL("2") },
		{ "nobody has it", POD("{}"),
		  "minimum cpu usage per Pod is 1k.  No request is specified" },
		{ "another policy makes no sidecar",
		  INIT_POD(REQ("1"), "{\"restartPolicy\":\"Never\",\"resources\":"
		                     "{\"requests\":{\"cpu\":\"2\"}}}"),
		  TOTAL("2") },
		{ "a container is never a sidecar", POD(SIDECAR("1") "," REQ("1")), TOTAL("2") },
		{ "the pod's own value replaces it",
		  "{\"kind\":\"Pod\",\"spec\":{\"resources\":{\"requests\":{\"cpu\":\"7\"}},"
		  "\"containers\":[" REQ("1") "]}}",
		  TOTAL("7") },
		{ "on its side only",
		  "{\"kind\":\"Pod\",\"spec\":{\"resources\":{\"limits\":{\"cpu\":\"7\"}},"
		  "\"containers\":[" REQ("1") "]}}",
		  TOTAL("1") },
		{ "more than 64 bits of thousandths", POD(REQ("-5P") "," REQ("-5P")), TOTAL("-10P") },
		{ "but only in between",
		  POD(REQ("5P") "," REQ("5P") "," REQ("-10P")), TOTAL("0") },
		{ "a peak of more, before more",
		  INIT_POD(REQ("-5P"), SIDECAR("-5P") "," REQ("-9P") "," REQ("-9E")), TOTAL("-10P") },
		{ "overhead is not added",
		  "{\"kind\":\"Pod\",\"spec\":{\"overhead\":{\"cpu\":\"7\"},\"containers\":["
		  REQ("1") "]}}",
		  TOTAL("1") },
		{ "values too far apart to add",
		  POD(REQ("1e2147483647") "," REQ("1")),
		  "spec.containers: Invalid value: the cpu request cannot be computed, because its "
		  "quantities are too far apart or too long" },
	};
	limen_engine *engine = ranger_open(
		"", RANGE("r", "{\"type\":\"Pod\",\"min\":{\"cpu\":\"1k\"}}"));

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		ranger_check(engine, cases[i].about, cases[i].pod, NULL, cases[i].message);
	limen_engine_free(engine);
}

/* A sum of 0 has no ratio, even if a part of it has more than 64 bits of thousandths. */
static void
test_ratio_of_nothing(void)
{
#define BOTH(requests, limits)                                                         \
	"{\"resources\":{\"requests\":{\"cpu\":\"" requests "\"},\"limits\":{\"cpu\":\"" limits "\"}}}"
#define RATIO(problem) "cpu max limit to request ratio per Pod is 2, but " problem
	limen_engine *engine = ranger_open(
		"", RANGE("r", "{\"type\":\"Pod\",\"maxLimitRequestRatio\":{\"cpu\":2}}"));

	ranger_check(engine, "requests",
	             POD(BOTH("5P", "1") "," BOTH("5P", "1") "," BOTH("-10P", "1")), NULL,
	             RATIO("no request is specified or request is 0"));
	ranger_check(engine, "limits",
	             POD(BOTH("1", "5P") "," BOTH("1", "5P") "," BOTH("1", "-10P")), NULL,
	             RATIO("no limit is specified or limit is 0"));
	limen_engine_free(engine);
}

/* Of the pod's own values only cpu and memory count. */
static void
test_own_values(void)
{
	static const char pod[] =
		"{\"kind\":\"Pod\",\"spec\":{\"resources\":{\"requests\":{\"memory\":\"7Gi\","
		"\"hugepages-2Mi\":\"8Mi\"}},\"containers\":[{\"resources\":{\"requests\":"
		"{\"memory\":\"1Gi\",\"hugepages-2Mi\":\"2Mi\"}}}]}}";
	limen_engine *engine = ranger_open(
		"", RANGE("r", "{\"type\":\"Pod\",\"min\":{\"memory\":\"1T\","
	                       "\"hugepages-2Mi\":\"1T\"}}"));

	ranger_check(engine, "own values", pod, NULL,
	             "minimum hugepages-2Mi usage per Pod is 1T, but request is 2Mi\n"
	             "minimum memory usage per Pod is 1T, but request is 7Gi");
	limen_engine_free(engine);
}

/* A total keeps the family of what it began with. */
static void
test_families(void)
{
	limen_engine *engine = ranger_open(
		"", RANGE("r", "{\"type\":\"Pod\",\"max\":{\"memory\":\"1Gi\"}}"));

	ranger_check(engine, "binary",
	             POD(CONTAINER("a", "{\"limits\":{\"memory\":\"1Gi\"}}") ","
	                 CONTAINER("b", "{\"limits\":{\"memory\":\"512Mi\"}}")),
	             NULL, "maximum memory usage per Pod is 1Gi, but limit is 1536Mi");
	ranger_check(engine, "just within",
	             POD(CONTAINER("a", "{\"limits\":{\"memory\":\"512Mi\"}}") ","
	                 CONTAINER("b", "{\"limits\":{\"memory\":\"536870912\"}}")),
	             NULL, "");
	limen_engine_free(engine);
}

/* ---- pods that look random, against a sum in whole numbers ---- */

enum { CONTAINERS_MAX = 6, ROUNDS = 400 };

struct drawn {
	int value; /* in milli; -1: none */
	int kind;  /* 0 regular, 1 init, 2 sidecar */
};

static unsigned
draw(unsigned limit)
{
	static uint64_t state = 88172645463325252U;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 20) % limit;
}

/*
 * The rule from the other end: what runs at each moment of the pod's life, as a
 * table of moments.  Returns -1 if nobody has a value.
 */
static int
find_total(const struct drawn *all, size_t count)
{
	int most = -1;

	for (size_t moment = 0; moment <= count; moment++) {
		int now = -1;

		if (moment < count && all[moment].kind == 0)
			continue;
		for (size_t i = 0; i < count; i++) {
			bool beside = i == moment || (all[i].kind == 2 && i < moment);
			bool runs = moment == count ? all[i].kind != 1 : beside;

			if (runs && all[i].value >= 0)
				now = (now < 0 ? 0 : now) + all[i].value;
		}
		most = now > most ? now : most;
	}
	return most;
}

static void
write_containers(char *out, const struct drawn *all, size_t count, bool init)
{
	size_t length = 0;

	*out = '\0';
	for (size_t i = 0; i < count; i++) {
		char value[64] = "";

		if ((all[i].kind != 0) != init)
			continue;
		if (all[i].value >= 0)
			snprintf(value, sizeof value, "\"requests\":{\"cpu\":\"%dm\"}",
			         all[i].value);
		length += (size_t)snprintf(out + length, 2048 - length,
		                           "%s{\"resources\":{%s}%s}", length == 0 ? "" : ",",
		                           value,
		                           all[i].kind == 2 ? ",\"restartPolicy\":\"Always\"" : "");
	}
}

static void
check_drawn(limen_engine *engine, const struct drawn *all, size_t count)
{
	char regular[2048];
	char init[2048];
	char pod[8192];
	char message[256];
	char text[LIMEN_QUANTITY_TEXT_MAX];
	int total = find_total(all, count);
	limen_quantity milli;

	write_containers(regular, all, count, false);
	write_containers(init, all, count, true);
	snprintf(pod, sizeof pod, INIT_POD("%s", "%s"), regular, init);
	snprintf(text, sizeof text, "%dm", total);
	CU_ASSERT_EQUAL(limen_quantity_parse(text, strlen(text), 0, &milli, NULL), LIMEN_OK);
	limen_quantity_print(&milli, text, sizeof text);
	if (total < 0)
		snprintf(message, sizeof message,
		         "minimum cpu usage per Pod is 1k.  No request is specified");
	else
		snprintf(message, sizeof message, TOTAL("%s"), text);
	ranger_check(engine, pod, pod, NULL, message);
}

static void
test_random(void)
{
	limen_engine *engine = ranger_open(
		"", RANGE("r", "{\"type\":\"Pod\",\"min\":{\"cpu\":\"1k\"}}"));

	for (unsigned round = 0; round < ROUNDS; round++) {
		struct drawn all[CONTAINERS_MAX];
		size_t count = 1 + draw(CONTAINERS_MAX);

		for (size_t i = 0; i < count; i++)
			all[i] = (struct drawn){
				.value = draw(4) == 0 ? -1 : (int)draw(3000),
				.kind = i == 0 ? 0 : (int)draw(3),
			};
		check_drawn(engine, all, count);
	}
	limen_engine_free(engine);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the rules", test_rules },
		{ "a total of 0 has no ratio", test_ratio_of_nothing },
		{ "what a pod asks for itself", test_own_values },
		{ "families of totals", test_families },
		{ "pods that look random", test_random },
		{ NULL, NULL }
	};

	return suite_run("plugins/LimitRanger_totals", tests);
}
