/* SPDX-License-Identifier: Apache-2.0 */
/*
 * guards.c - what jq 1.6 and 1.7 do to the whole process when they are given
 * certain values, and the definitions that keep them from it.  Those values may
 * come from the request, so that a script that uses a function in good faith is
 * enough.
 *
 * Only what a script mentions is guarded; others pay nothing.  Inside of a
 * definition, a name means jq's own function as long as no guard of that name
 * stands before it: hence the pairs.
 */
#include "guards.h"

#include <string.h>

#include "builds.h"
#include "operands.h"
#include "scan.h"
#include "slices.h"

typedef struct guard {
	const char *words; /* any of these, separated by blanks, calls for it */
	const char *definitions;
} guard;

/* Halting is left to the one who may, see watchdog.c. */
static const char halt_guard[] =
	"def halt: [\"" GUARDS_HALT "\"] | debug | empty; "
	"def halt_error: halt; "
	"def halt_error($code): halt; ";

/* The environment may hold secrets; jq 1.6 prints to the stream of the process. */
static const char env_guard[] = "def env: {}; ";
static const char stderr_guard[] = "def stderr: .; ";

/*
 * What a script prints for debugging may come from the request and look like a call
 * of a guard: it is not printed anyway, so it is not passed on.
 */
static const char debug_guard[] = "def debug: .; ";

/* A long repetition takes half a minute that nobody can interrupt. */
static const char multiply_guard[] =
	"def _limen_too_long($text; $times): ($text | utf8bytelength) * $times > 4194304; "
	"def _limen_multiply($a; $b): $a * $b; "
	"def _multiply(f; g): g as $b | f as $a"
	" | if ($a | type) == \"string\" and ($b | type) == \"number\" and _limen_too_long($a; $b)"
	" or ($b | type) == \"string\" and ($a | type) == \"number\" and _limen_too_long($b; $a)"
	" then error(\"Repeat string result too long\")"
	" elif ($a < [] or $b < [] or ([$a, $b] | _limen_fits)) | not"
	" then error(\"Objects too large to be multiplied\") else _limen_multiply($a; $b) end; ";

/* The remainder of the lowest integer and -1 is a signal of the processor. */
static const char modulo_guard[] =
	"def _limen_modulo($a; $b): $a % $b; "
	"def _mod(f; g): g as $b | f as $a"
	" | if ($a | type) == \"number\" and ($b | type) == \"number\" and $b <= -1 and $b > -2"
	" then 0 else _limen_modulo($a; $b) end; ";

/*
 * What the others ask limen itself (native.c).  Numbers, texts, true, false and null are
 * less than any array, which is the quickest way to tell them from what has parts.
 */
static const char helpers[] =
	"def _limen_fits: [\"" GUARDS_FITS "\", .] | debug | input; "
	"def _limen_may_compare($a; $b): [\"" GUARDS_COMPARE "\", $a, $b] | debug | input; "
	"def _limen_may_contain($a; $b): [\"" GUARDS_CONTAIN "\", $a, $b] | debug | input; "
	"def _limen_printable: if . < [] or _limen_fits then ."
	" else error(\"The value is too large to be printed\") end; "
	"def _limen_ordered: if . < [] or _limen_fits then ."
	" else error(\"The value is too large to be compared\") end; "
	"def _limen_same(f; g): f == g; "
	"def " SLICES_CHECK ": if type == \"number\" and isnan"
	" then error(\"Start and end indices of a slice must not be nan\") else . end; "
	"def " SLICES_CHECK_INDEX ": if . < [] then ."
	" elif type == \"object\" then (.[\"start\"] | " SLICES_CHECK ") as $first"
	" | (.[\"end\"] | " SLICES_CHECK ") as $last | ."
	" elif _limen_may_compare(.; 10000) then ."
	" else error(\"The array is too long for an index\") end; "
	"def _limen_keys: if type == \"array\" then map(" SLICES_CHECK_INDEX ") else . end; "
	"def _limen_step: if type == \"number\" then if isnan or . > 1000000"
	" then error(\"Array index too large\") else . end else " SLICES_CHECK_INDEX " end; "
	"def _limen_steps: if type == \"array\" then map(_limen_step) else . end; "
	/* Each element is held against each slice that goes: a minute for 1,000 slices. */
	"def _limen_deletable: if type == \"array\" then map(_limen_steps)"
	" | if [.[] | arrays | .[] | objects] | length > 20"
	" then error(\"Too many slices to be deleted\") else . end else . end; ";

/* Parts that a value shares are printed each time, and nobody can interrupt that. */
static const char print_guard[] =
	"def _limen_tostring: tostring; "
	"def tostring: _limen_printable | _limen_tostring; "
	"def _limen_tojson: tojson; "
	"def tojson: _limen_printable | _limen_tojson; "
	"def _limen_format(f): format(f); "
	"def format(f): _limen_printable | _limen_format(f); "
	"def _limen_INDEX(f; g): INDEX(f; g); "
	"def INDEX(f; g): _limen_INDEX(f; g | _limen_printable); "
	"def INDEX(f): INDEX(.[]; f); ";

/* Nor the comparison of all that they are, of which sorting takes many. */
static const char sort_guard[] =
	"def _limen_sort: sort; "
	"def sort: _limen_ordered | _limen_sort; "
	"def _limen_min: min; "
	"def min: _limen_ordered | _limen_min; "
	"def _limen_max: max; "
	"def max: _limen_ordered | _limen_max; "
	"def _limen_by(f): map([f]) | _limen_ordered; "
	"def sort_by(f): _sort_by_impl(_limen_by(f)); "
	"def group_by(f): _group_by_impl(_limen_by(f)); "
	"def min_by(f): _min_by_impl(_limen_by(f)); "
	"def max_by(f): _max_by_impl(_limen_by(f)); "
	"def unique_by(f): group_by(f) | map(.[0]); "
	"def unique: unique_by(.); "
	"def _limen_bsearch(f): bsearch(f); "
	"def bsearch(f): _limen_ordered | _limen_bsearch(f | _limen_ordered); "
	"def IN(f): _limen_ordered as $it | any(f; _limen_same(.; $it)); "
	"def IN(f; g): any(f; IN(g)); ";

/*
 * A comparison ends where the smaller one of two values does, so it is enough that one of
 * them is bounded.
 */
static const char equal_guard[] =
	"def _limen_equal(f; g): f == g; "
	"def _equal(f; g): _limen_equal(f; g | _limen_ordered); ";
static const char unequal_guard[] =
	"def _limen_notequal(f; g): f != g; "
	"def _notequal(f; g): _limen_notequal(f; g | _limen_ordered); ";
static const char less_guard[] =
	"def _limen_less(f; g): f < g; "
	"def _less(f; g): _limen_less(f; g | _limen_ordered); "
	"def _limen_lesseq(f; g): f <= g; "
	"def _lesseq(f; g): _limen_lesseq(f; g | _limen_ordered); ";
static const char greater_guard[] =
	"def _limen_greater(f; g): f > g; "
	"def _greater(f; g): _limen_greater(f; g | _limen_ordered); "
	"def _limen_greatereq(f; g): f >= g; "
	"def _greatereq(f; g): _limen_greatereq(f; g | _limen_ordered); ";

/* Each element of the one array is held against each of the other: half a minute for 10,000. */
static const char minus_guard[] =
	"def _limen_minus($a; $b): $a - $b; "
	"def _minus(f; g): g as $b | f as $a"
	" | if ($a | type) == \"array\" and ($b | type) == \"array\""
	" and (_limen_may_compare($a; $b) | not)"
	" then error(\"Arrays too long to be subtracted\") else _limen_minus($a; $b) end; ";

/* To set element 100,000,000 makes all the elements before it. */
static const char index_guard[] =
	"def _limen_setpath(f; g): setpath(f; g); "
	"def setpath(f; g): _limen_setpath(f | _limen_steps; g); "
	"def _limen_assign(f; $value): _assign(f; $value); "
	"def _assign(f; $value): _limen_assign(getpath(path(f) | _limen_steps); $value); "
	"def _limen_modify(f; g): _modify(f; g); "
	"def _modify(f; g): _limen_modify(getpath(path(f) | _limen_steps); g); "
	"def del(f): delpaths([path(f)] | _limen_deletable); "
	"def _limen_fromstream(f): fromstream(f); "
	"def fromstream(f): _limen_fromstream(f | (.[0] | _limen_steps) as $checked | .); ";

/* Keys that are not written as ".[a]", where slices.c would find them. */
static const char path_guard[] =
	"def _limen_delpaths(f): delpaths(f); "
	"def delpaths(f): _limen_delpaths(f | _limen_deletable); "
	"def _limen_getpath(f): getpath(f); "
	"def getpath(f): _limen_getpath(f | _limen_keys); "
	"def nth($n): .[$n | " SLICES_CHECK_INDEX "]; "
	"def _limen_nwise($n): _nwise($n); "
	"def _nwise($n): _limen_nwise($n | " SLICES_CHECK "); "
	/* jq 1.7 has it no more. */
	"def _nwise(f; $n): f | _nwise($n); "
	"def _limen_truncate_stream(f): truncate_stream(f); "
	"def truncate_stream(f): " SLICES_CHECK " | _limen_truncate_stream(f); "
	"def JOIN($index; f): [.[] | [., $index[f | " SLICES_CHECK_INDEX "]]]; "
	"def JOIN($index; f; g): f | [., $index[g | " SLICES_CHECK_INDEX "]]; "
	"def JOIN($index; f; g; h): JOIN($index; f; g) | h; ";

/*
 * jq 1.6 looks for the empty string for ever, and for the elements of an array at each
 * place of another.
 */
static const char search_guard[] =
	"def _limen_indices($of): indices($of); "
	"def indices($of): if $of < []"
	" then if $of == \"\" and type == \"string\" then [] else _limen_indices($of) end"
	" elif type != \"array\" then _limen_indices($of | " SLICES_CHECK_INDEX ")"
	" elif _limen_may_compare(.; if $of | type == \"array\" then $of else [$of] end)"
	" then _limen_indices($of) else error(\"Arrays too long to be searched\") end; "
	"def index($of): indices($of) | .[0]; "
	"def rindex($of): indices($of) | .[-1:][0]; ";

/* So it does for what a value shall contain, over all levels of both. */
static const char contain_guard[] =
	"def _limen_contains(f): contains(f); "
	"def contains(f): if . < [] then _limen_contains(f | _limen_printable)"
	" else f as $of | if _limen_may_contain(.; $of) then _limen_contains($of)"
	" else error(\"Values too large to be searched\") end end; "
	"def inside(f): . as $it | f | contains($it); ";

/* A time out of the calendar's range, or a format that is no text, fails an assertion. */
static const char time_guard[] =
	"def _limen_strftime($format): strftime($format); "
	"def strftime($format): if ($format | type) != \"string\""
	" then error(\"strftime/1 requires a string format\")"
	" else (if type == \"number\" then gmtime else . end) | _limen_strftime($format) end; "
	"def _limen_strflocaltime($format): strflocaltime($format); "
	"def strflocaltime($format): if ($format | type) != \"string\""
	" then error(\"strflocaltime/1 requires a string format\")"
	" else (if type == \"number\" then localtime else . end)"
	" | _limen_strflocaltime($format) end; "
	"def todateiso8601: strftime(\"%Y-%m-%dT%H:%M:%SZ\"); "
	"def todate: todateiso8601; "
	"def date: todate; ";

/* Bessel functions take as many steps as their order says. */
static const char bessel_guard[] =
	"def _limen_order: if type == \"number\" and (isnan or . > 10000 or . < -10000)"
	" then error(\"The order is too large\") else . end; "
	"def _limen_jn(f; g): jn(f; g); "
	"def jn(f; g): _limen_jn(f | _limen_order; g); "
	"def _limen_yn(f; g): yn(f; g); "
	"def yn(f; g): _limen_yn(f | _limen_order; g); ";

/*
 * The text "nan" becomes a number that fails an assertion as the end of a slice; keys
 * that collide (crowd.h) take minutes in a text of megabytes.
 */
static const char number_guard[] =
	"def _limen_number: if type == \"number\" and isnan"
	" then error(\"nan is not a number of JSON\") else . end; "
	"def _limen_tonumber: tonumber; "
	"def tonumber: _limen_tonumber | _limen_number; "
	"def _limen_fromjson: fromjson; "
	"def fromjson: if type == \"string\" and utf8bytelength > 262144"
	" then error(\"The text is too long for fromjson\") else . end"
	" | . as $text | _limen_fromjson"
	" | if $text | contains(\"nan\") then ([.. | _limen_number] | empty), . else . end; ";

/*
 * jq up to 1.7 goes on in the middle of a character after an empty match, and
 * reads past the end of the string: matching is limen's own (regex.c).
 */
static const char regex_guard[] =
	"def _match_impl($re; $flags; $test):"
	" [\"" GUARDS_MATCH "\", ., $re, $flags, $test] | debug | input; "
	"def _limen_re($it): if ($it | type) == \"string\" then [$it, null]"
	" elif ($it | type) == \"array\" and $it != [] then [$it[0], $it[1]]"
	" else error(($it | type) + \" not a string or array\") end; "
	"def match($re; $flags): _match_impl($re; $flags; false) | .[]; "
	"def match($re): _limen_re($re) as $it | match($it[0]; $it[1]); "
	"def test($re; $flags): _match_impl($re; $flags; true); "
	"def test($re): _limen_re($re) as $it | test($it[0]; $it[1]); "
	"def _limen_named: reduce (.captures[] | select(.name != null)) as $part"
	" ({}; . + {($part.name): $part.string}); "
	"def capture($re; $flags): match($re; $flags) | _limen_named; "
	"def capture($re): match($re) | _limen_named; "
	"def scan($re; $flags): match($re; \"g\" + $flags)"
	" | if .captures == [] then .string else [.captures[].string] end; "
	"def scan($re): scan($re; null); "
	"def split($re; $flags): . as $whole"
	" | [match($re; \"g\" + $flags) | [.offset, .offset + .length]] as $cuts"
	" | [[0] + [$cuts[][1]], [$cuts[][0]] + [null]] | transpose | map($whole[.[0]:.[1]]); "
	"def splits($re; $flags): split($re; $flags) | .[]; "
	"def splits($re): splits($re; null); "
	"def _limen_replace($whole; $found; f; $i; $from):"
	" if $i == ($found | length) then $whole[$from:] else ($found[$i] | _limen_named | f) as $new"
	" | $whole[$from:$found[$i].offset] + $new"
	" + _limen_replace($whole; $found; f; $i + 1; $found[$i].offset + $found[$i].length) end; "
	"def sub($re; f; $flags): . as $whole | [match($re; $flags)] as $found"
	" | _limen_replace($whole; $found; f; 0; 0); "
	"def sub($re; f): sub($re; f; \"\"); "
	"def gsub($re; f; $flags): sub($re; f; $flags + \"g\"); "
	"def gsub($re; f): sub($re; f; \"g\"); ";

static const char hint_definition[] =
	"def hint($name): [\"" GUARDS_HINT "\", $name] | debug | input; ";

static const guard guards[] = {
	{ "halt halt_error", halt_guard },
	{ "env", env_guard },
	{ "stderr", stderr_guard },
	{ "indices index rindex", search_guard },
	{ "strftime strflocaltime todate todateiso8601 date", time_guard },
	{ "jn yn", bessel_guard },
	{ "tonumber fromjson", number_guard },
	{ "match test capture scan split splits sub gsub _match_impl", regex_guard },
	{ "contains inside", contain_guard },
	{ "sort sort_by group_by unique unique_by min min_by max max_by bsearch IN", sort_guard },
	/* After those that call jq's own. */
	{ "debug", debug_guard },
	/* From here on definitions would change what the ones before them mean. */
	{ "setpath fromstream nth del [", index_guard },
	{ "delpaths getpath nth _nwise truncate_stream JOIN", path_guard },
	{ "%", modulo_guard },
	{ "*", multiply_guard },
	{ "-", minus_guard },
	/* jq allows blanks behind the "$". */
	{ "$ENV ENV", "{} as $ENV | " },
};

#define GUARD_COUNT (sizeof(guards) / sizeof(guards[0]))

/* Behind all others, which compare as well.  The words are signs here. */
static const guard comparisons[] = {
	{ "==", equal_guard }, { "!=", unequal_guard }, { "<", less_guard }, { ">", greater_guard }
};

#define COMPARISON_COUNT (sizeof(comparisons) / sizeof(comparisons[0]))

/* Is 'token' one of 'words'? */
static bool
is_listed(const scan *from, const scan_token *token, const char *words)
{
	const char *start = from->text + token->start;

	for (const char *word = words; *word != '\0';) {
		size_t length = strcspn(word, " ");

		if (length == token->length && memcmp(word, start, length) == 0)
			return true;
		word += length;
		word += strspn(word, " ");
	}
	return false;
}

static bool
is_mentioned(const char *script, const char *words)
{
	scan from = scan_start(script, strlen(script));
	scan_token token = scan_code(&from);

	while (token.kind != SCAN_END) {
		bool is_name = token.kind == SCAN_WORD || token.kind == SCAN_VARIABLE ||
		               token.kind == SCAN_SYMBOL;

		if (is_name && is_listed(&from, &token, words))
			return true;
		token = scan_code(&from);
	}
	return false;
}

/* Does 'script' print values into strings?  A string with "\\( )" comes in parts. */
static bool
is_printing(const char *script)
{
	scan from = scan_start(script, strlen(script));
	scan_token token = scan_code(&from);

	while (token.kind != SCAN_END) {
		if (token.kind == SCAN_FORMAT || (token.kind == SCAN_TEXT && !token.whole))
			return true;
		token = scan_code(&from);
	}
	return is_mentioned(script, "tostring tojson format INDEX");
}

void
guards_begin(text *out, const char *prelude, const char *script)
{
	text_adds(out, helpers);
	if (builds_values(script) &&
	    (is_printing(script) || (prelude != NULL && is_printing(prelude))))
		text_adds(out, print_guard);
}

void
guards_add(text *out, const char *script, bool has_hints)
{
	if (has_hints && is_mentioned(script, "hint"))
		text_adds(out, hint_definition);
	for (size_t i = 0; i < GUARD_COUNT; i++) {
		if (is_mentioned(script, guards[i].words))
			text_adds(out, guards[i].definitions);
	}
	if (!builds_values(script))
		return;
	for (size_t i = 0; i < COMPARISON_COUNT; i++) {
		if (operands_are_computed(script, comparisons[i].words))
			text_adds(out, comparisons[i].definitions);
	}
}
