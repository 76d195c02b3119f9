/* SPDX-License-Identifier: Apache-2.0 */
#include "rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void
command_add(command *out, const char *word, size_t length)
{
	out->words[out->count] = word;
	out->lengths[out->count++] = length;
}

void
command_text(command *out, const char *word)
{
	command_add(out, word, strlen(word));
}

void
command_begin(command *out, const rules *how, const wire *to, script_id which, size_t key_count)
{
	out->count = 0;
	snprintf(out->keys_text, sizeof(out->keys_text), "%zu", key_count + 1);
	command_text(out, "EVALSHA");
	command_text(out, to->sha[which]);
	command_text(out, out->keys_text);
	command_add(out, how->mark, how->mark_length);
}

void
command_rules(command *out, const rules *how, const wire *to)
{
	bool may_be_new = !how->starts_empty && !atomic_load(&how->has_seen_mark);

	command_text(out, to->run);
	command_text(out, how->trusts_restart ? "1" : "0");
	command_text(out, may_be_new ? "1" : "0");
}

void
command_book(command *out, const book *table)
{
	command_text(out, table->tokens_text);
	command_text(out, table->period_text);
	command_text(out, table->burst_text);
}

bool
answer_read(wire *from, const redisReply *reply, int64_t *out, size_t count)
{
	if (reply->type != REDIS_REPLY_ARRAY || reply->elements != count) {
		wire_fail_reply(from, reply);
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		const redisReply *one = reply->element[i];

		if (one->type != REDIS_REPLY_INTEGER || one->integer < -1 ||
		    one->integer > SCRIPT_UNITS_MAX) {
			wire_fail_answer(from, "an unexpected answer");
			return false;
		}
		out[i] = one->integer;
	}
	return true;
}
