/* SPDX-License-Identifier: Apache-2.0 */
/* answer - answer the JSON on standard input: answer POLICY (question | review) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <limen/limen.h>

int
main(int argc, char **argv)
{
	static char text[1 << 20]; /* the most that this program accepts */
	const limen_question_options how = { .size = sizeof(how), .requester = "192.0.2.1" };
	limen_diag *diag = limen_diag_new();
	limen_engine *engine = limen_engine_new(NULL);
	size_t length = fread(text, 1, sizeof(text), stdin);
	char *answer = NULL;
	int result = argc == 3 ? limen_engine_load(engine, argv[1], diag) : LIMEN_EINVAL;

	if (result == LIMEN_OK && strcmp(argv[2], "review") == 0)
		result = limen_engine_answer_review(engine, text, length, LIMEN_PHASE_VALIDATE,
		                                    &how, &answer, NULL, diag);
	else if (result == LIMEN_OK)
		result = limen_engine_answer_question(engine, text, length, &how, &answer, NULL,
		                                      diag);
	if (result == LIMEN_OK)
		puts(answer);
	limen_diag_write(diag, stderr);
	free(answer);
	limen_engine_free(engine);
	limen_diag_free(diag);
	return result == LIMEN_OK ? 0 : 2;
}
