/* SPDX-License-Identifier: Apache-2.0 */
/* rules.c - writes the calls of scripts and checks their answers. */
#include "rules.h"

#include <string.h>

static void
begin(wire *to, const rules *how, const char *command, const char *script, size_t keys,
      size_t arguments)
{
	wire_begin(to, CALL_WORDS + keys + arguments);
	wire_text(to, command);
	wire_text(to, script);
	wire_number(to, (int64_t)keys + 1);
	wire_pair(to, how->prefix, strlen(how->prefix), RULES_MARK, strlen(RULES_MARK));
}

void
call_begin(wire *to, const rules *how, script_id which, size_t keys, size_t arguments)
{
	begin(to, how, "EVALSHA", to->sha[which], keys, arguments);
}

void
call_begin_text(wire *to, const rules *how, const char *script, size_t keys, size_t arguments)
{
	begin(to, how, "EVAL", script, keys, arguments);
}

void
call_rules(wire *to, const rules *how)
{
	bool may_be_new = !how->starts_empty && !atomic_load(&how->has_seen_mark);

	wire_text(to, to->run);
	wire_text(to, how->trusts_restart ? "1" : "0");
	wire_text(to, may_be_new ? "1" : "0");
}

void
call_rate(wire *to, const book *table)
{
	wire_number(to, table->tokens);
	wire_number(to, table->period);
	wire_number(to, table->burst);
}

void
call_amount(wire *to, const book *table, int64_t amount)
{
	wire_number(to, amount > table->burst ? table->burst + 1 : amount);
}

bool
answer_check(wire *from, const redisReply *reply, size_t count)
{
	bool good = reply->type == REDIS_REPLY_ARRAY && reply->elements == count;

	if (!good) {
		wire_fail_reply(from, reply);
		return false;
	}
	for (size_t i = 0; i < count && good; i++)
		good = reply->element[i]->type == REDIS_REPLY_INTEGER &&
		       reply->element[i]->integer >= -1 &&
		       reply->element[i]->integer <= SCRIPT_UNITS_MAX;
	if (!good)
		wire_fail_answer(from);
	return good;
}
