/* SPDX-License-Identifier: Apache-2.0 */
/*
 * drive.c - runs a fuzzer without libFuzzer.
 *
 *	FUZZER             TAP: all seeds, then mutations of them
 *	FUZZER FILE...     these inputs
 *	FUZZER             built by AFL++ and run by afl-fuzz: what that sends
 *
 *	FUZZ_RUNS=N        as many mutations
 *	FUZZ_SEED=N        other mutations
 *
 * The input that runs stands in the file fuzz-NAME.input, so that it is there
 * however the process ends.
 */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"
#include "mutate.h"

/* One input takes less than this many seconds, however busy the machine is. */
enum { PATIENCE = 120 };

/* Its memory is shared with a file. */
typedef struct black_box {
	char path[128];
	int fd;
} black_box;

static black_box box;

static void
open_box(void)
{
	snprintf(box.path, sizeof(box.path), "fuzz-%s.input", fuzz_this.name);
	box.fd = open(box.path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (box.fd < 0)
		abort();
}

static void
close_box(void)
{
	close(box.fd);
	unlink(box.path);
}

/* Runs a copy that has its own end, so that a sanitizer sees who reads beyond it. */
static void
run(const uint8_t *bytes, size_t length)
{
	uint8_t *copy = malloc(length == 0 ? 1 : length);

	if (copy == NULL || pwrite(box.fd, bytes, length, 0) != (ssize_t)length ||
	    ftruncate(box.fd, (off_t)length) != 0)
		abort();
	memcpy(copy, bytes, length);
	alarm(PATIENCE);
	LLVMFuzzerTestOneInput(copy, length);
	free(copy);
}

static bool
add_file(inputs *to, const char *path)
{
	struct stat about;
	FILE *file = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "rb") : NULL;
	uint8_t *bytes;
	size_t length;

	if (file == NULL)
		return false;
	bytes = malloc((size_t)about.st_size + 1);
	if (bytes == NULL)
		abort();
	length = fread(bytes, 1, (size_t)about.st_size, file);
	fclose(file);
	inputs_add(to, bytes, length);
	free(bytes);
	return true;
}

/* In the order of their names: it decides which mutations are made. */
static void
add_directory(inputs *to, const char *source, const char *name)
{
	struct dirent **entries = NULL;
	char path[4096];
	int count;

	snprintf(path, sizeof(path), "%s/%s", source, name);
	count = scandir(path, &entries, NULL, alphasort);
	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/%s/%s", source, name, entries[i]->d_name);
		add_file(to, path);
		free(entries[i]);
	}
	free(entries);
}

static unsigned long long
number_from(const char *variable, unsigned long long otherwise)
{
	const char *text = getenv(variable);

	return text == NULL || *text == '\0' ? otherwise : strtoull(text, NULL, 10);
}

static void
run_mutations(const inputs *seeds, const char *source)
{
	static uint8_t out[INPUT_MAX];
	unsigned long long runs = number_from("FUZZ_RUNS", fuzz_this.runs);
	uint64_t state = number_from("FUZZ_SEED", 1) * UINT64_C(0x9E3779B97F4A7C15) | 1;
	inputs words = { .list = NULL };
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/fuzz/dict/%s.dict", source, fuzz_this.name);
	inputs_add_words(&words, path);
	for (unsigned long long i = 0; i < runs; i++) {
		size_t length = mutate(&state, seeds, &words, out);

		run(out, length);
	}
	printf("ok 2 - %s: %llu mutations of them\n", fuzz_this.name, runs);
	inputs_clear(&words);
}

static int
run_test(void)
{
	const char *source = getenv("LIMEN_SRCDIR");
	char own[128];
	inputs seeds = { .list = NULL };

	source = source == NULL ? "." : source;
	snprintf(own, sizeof(own), "tests/fuzz/seeds/%s", fuzz_this.name);
	add_directory(&seeds, source, own);
	if (fuzz_this.corpora != NULL)
		add_directory(&seeds, source, fuzz_this.corpora);
	printf("1..2\n");
	for (size_t i = 0; i < seeds.count; i++)
		run(seeds.list[i].bytes, seeds.list[i].length);
	printf("%s 1 - %s: %zu seeds\n", seeds.count > 0 ? "ok" : "not ok", fuzz_this.name,
	       seeds.count);
	fflush(stdout);
	run_mutations(&seeds, source);
	inputs_clear(&seeds);
	return 0;
}

/* ---- AFL++: its compiler defines the macros, and a process takes many inputs ---- */

#ifdef __AFL_FUZZ_TESTCASE_LEN
__AFL_FUZZ_INIT();

enum { INPUTS_OF_A_PROCESS = 10000 };

static bool
run_afl(void)
{
	const uint8_t *bytes;
	ssize_t length;

	if (getenv("__AFL_SHM_ID") == NULL)
		return false;
	__AFL_INIT();
	bytes = __AFL_FUZZ_TESTCASE_BUF;
	while (__AFL_LOOP(INPUTS_OF_A_PROCESS)) {
		length = __AFL_FUZZ_TESTCASE_LEN;
		run(bytes, length > 0 ? (size_t)length : 0);
	}
	return true;
}
#else
static bool
run_afl(void)
{
	return false;
}
#endif

int
main(int argc, char **argv)
{
	int status = 0;

	open_box();
	if (argc < 2 && run_afl())
		;
	else if (argc < 2)
		status = run_test();
	for (int i = 1; i < argc; i++) {
		inputs one = { .list = NULL };

		if (!add_file(&one, argv[i])) {
			fprintf(stderr, "%s: cannot be read\n", argv[i]);
			status = 1;
		} else {
			run(one.list[0].bytes, one.list[0].length);
		}
		inputs_clear(&one);
	}
	close_box();
	return status;
}
