/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_jq_parts.c - values that libjq 1.6 takes apart for minutes in a single call, or
 * forever, and keys that it fails an assertion with; each was tried with jq 1.6 itself.
 */
#include <stddef.h>

#include "jq_rows.h"
#include "suite.h"

#define LONG_INDEX "The array is too long for an index"

/* Each part of one value against each part of another, of which libjq sees no end. */
static void
test_pairs(void)
{
	static const struct jq_row rows[] = {
		{ "[[range(1000)], [range(1; 1001)]] | .[0] as $a | .[1] as $b"
		  " | [($a | contains($b)), ($b | inside($a))]", NULL, "[false,false]" },
		{ "[range(1000)] | contains([range(1001)])", NULL,
		  "! Values too large to be searched" },
		{ "[range(1001)] | inside([range(1000)])", NULL,
		  "! Values too large to be searched" },
		{ "[range(1001)] as $a | {a: [{b: $a}]} | contains({a: [{b: $a}]})", NULL,
		  "! Values too large to be searched" },
		{ "[range(100) | [range(100)]] | contains(.)", NULL,
		  "! Values too large to be searched" },
		{ "reduce range(40) as $i (1; [., .]) | contains(.)", NULL,
		  "! Values too large to be searched" },
		{ "reduce range(40) as $i (1; [., .]) | contains({})", NULL,
		  "! Values too large to be searched" },
		{ "(\"x\" * 10000) as $x | [range(100) | $x] | contains([range(100) | $x + \"y\"])",
		  NULL, "! Values too large to be searched" },
		{ "[contains({a: [{b: 2}]}), contains({c: \"e\"}), ({c: \"e\"} | inside({c: \"de\"})),"
		  " (.c | contains(\"e\", \"x\"))]", "{\"a\":[1,{\"b\":2}],\"c\":\"def\"}",
		  "[true,true,true,true,false]" },
		{ "contains(1)", "[1]", "! array ([1]) and number (1) cannot have their containment checked" },
		{ "[range(1000)] | [index([range(5; 1000)]), index([7, 9]), indices([])]", NULL,
		  "[5,null,[]]" },
		{ "[range(1000)] | index([range(1001)])", NULL, "! Arrays too long to be searched" },
		{ "[range(1000)] | rindex([range(1001)])", NULL, "! Arrays too long to be searched" },
		{ "[range(1000)] | indices([range(1001)])", NULL, "! Arrays too long to be searched" },
		{ "[range(1000) | [.]] - [range(1000) | [., 1]]", NULL,
		  "! Arrays too long to be subtracted" },
		{ "(\"x\" * 64000) as $x | [range(100) | $x] - [range(100) | $x]", NULL,
		  "! Arrays too long to be subtracted" },
		{ ".[[2, 3]], .[. as $a | [1]]", "[1,2,3,1]", "[1]" },
		{ "[range(1000)] | .[.]", NULL, "! " LONG_INDEX },
		{ ". as [$a, $b] | $a[$b]", "[[1,2,1],[1]]", "[0,2]" },
		{ "[range(1000)] as $a | $a | [.[[1]]?, try .[$a] catch .]", NULL,
		  "[[1],\"" LONG_INDEX "\"]" },
		{ "[range(1000)] as $a | [$a] | getpath([0, $a])", NULL, "! " LONG_INDEX },
		{ "[range(1000)] as $a | $a as {($a): $x} | $x", NULL, "! " LONG_INDEX },
		{ "[range(1000)] | nth(.)", NULL, "! " LONG_INDEX },
		{ "[range(1000)] as $a | $a | JOIN($a; $a)", NULL, "! " LONG_INDEX },
		{ "[nth(1), nth(0; 7, 8), JOIN({\"1\": 5}; tostring)]", "[1,2]",
		  "[2,7,[[1,5],[2,null]]]" },
		{ NULL, NULL, NULL }
	};

	jq_rows_check(rows);
}

#define DOUBLED "(reduce range(40) as $i (1; [., .]))"
/* Four million values of one, without a word or bracket that makes an array. */
#define SIXTEENFOLD " | . + . | . + . | . + . | . + ."
#define ADDED "." SIXTEENFOLD SIXTEENFOLD SIXTEENFOLD SIXTEENFOLD SIXTEENFOLD
#define PRINT_ERROR "! The value is too large to be printed"
#define COMPARE_ERROR "! The value is too large to be compared"

/* A value of forty small arrays of which libjq sees each part as often as it is shared. */
static void
test_shared(void)
{
	static const struct jq_row rows[] = {
		{ DOUBLED " | tojson", NULL, PRINT_ERROR },
		{ DOUBLED " | tostring", NULL, PRINT_ERROR },
		{ DOUBLED " | \"a\\(.)b\"", NULL, PRINT_ERROR },
		{ DOUBLED " | @json, @text, @html, @uri, @sh, @base64", NULL, PRINT_ERROR },
		{ DOUBLED " | [.] | @csv", NULL, PRINT_ERROR },
		{ DOUBLED " | @tsv \"\\([.])\"", NULL, PRINT_ERROR },
		{ DOUBLED " | format(\"json\")", NULL, PRINT_ERROR },
		{ DOUBLED " | INDEX([.]; .)", NULL, PRINT_ERROR },
		{ ADDED " | tostring", "[[1,2,3]]", PRINT_ERROR },
		{ "def t(f): f | tostring; " DOUBLED " | t(.)", NULL, PRINT_ERROR },
		{ "reduce range(40) as $i ({}; {a: ., b: .}) | tojson", NULL, PRINT_ERROR },
		{ "(\"x\" * 1000000) as $x | [range(40) | $x] | tojson", NULL, PRINT_ERROR },
		{ "reduce range(10001) as $i (1; [.]) | tojson", NULL, PRINT_ERROR },
		{ "reduce range(12) as $i (1; [., .]) | [tojson, tostring, @json, \"\\(.)\" | length]",
		  NULL, "[16381,16381,16381,16381]" },
		{ "[.[] | tostring, tojson, @text, \"\\(.)\"]", "[\"a\",1,[2]]",
		  "[\"a\",\"\\\"a\\\"\",\"a\",\"a\",\"1\",\"1\",\"1\",\"1\",\"[2]\",\"[2]\",\"[2]\","
		  "\"[2]\"]" },
		{ DOUBLED " | error", NULL, "! The error is too large to be printed" },
		{ DOUBLED " | . == .", NULL, COMPARE_ERROR },
		{ DOUBLED " as $a | " DOUBLED " | . != $a", NULL, COMPARE_ERROR },
		{ DOUBLED " | . < (., .)", NULL, COMPARE_ERROR },
		{ DOUBLED " | . <= .", NULL, COMPARE_ERROR },
		{ DOUBLED " | . > .", NULL, COMPARE_ERROR },
		{ DOUBLED " | . >= .", NULL, COMPARE_ERROR },
		{ DOUBLED " | . == \"x\" or null + . == .", NULL, COMPARE_ERROR },
		{ DOUBLED " | [. == \"x\", 1 < ., . == null, (.[0] == []), (. as $x | 1 | . == [$x])]",
		  NULL, COMPARE_ERROR },
		{ DOUBLED " | [. == \"x\", 1 < ., . == null, (.[0] == [])]", NULL,
		  "[false,true,false,false]" },
		{ DOUBLED " | [., .] | sort", NULL, COMPARE_ERROR },
		{ DOUBLED " | [., .] | unique", NULL, COMPARE_ERROR },
		{ DOUBLED " | [., .] | min", NULL, COMPARE_ERROR },
		{ DOUBLED " | [., .] | max", NULL, COMPARE_ERROR },
		{ DOUBLED " | [{a: .}, {a: .}] | sort_by(.a)", NULL, COMPARE_ERROR },
		{ DOUBLED " | [{a: .}, {a: .}] | group_by(.a)", NULL, COMPARE_ERROR },
		{ DOUBLED " | [{a: .}, {a: .}] | unique_by(.a)", NULL, COMPARE_ERROR },
		{ DOUBLED " | [{a: .}, {a: .}] | min_by(.a)", NULL, COMPARE_ERROR },
		{ DOUBLED " | [{a: .}, {a: .}] | max_by(.a)", NULL, COMPARE_ERROR },
		{ DOUBLED " | [.] | bsearch(.[0])", NULL, COMPARE_ERROR },
		{ DOUBLED " | IN(.)", NULL, COMPARE_ERROR },
		{ "reduce range(40) as $i ({}; {a: ., b: .}) | . * .", NULL,
		  "! Objects too large to be multiplied" },
		{ "[sort, unique, min, max, (sort_by(-.)), group_by(. % 2), unique_by(. % 2),"
		  " min_by(-.), max_by(-.), (sort | bsearch(2)), (.[0] | IN(3, 4), IN(4))]",
		  "[3,1,2,1]", "[[1,1,2,3],[1,2,3],1,3,[3,2,1,1],[[2],[3,1,1]],[2,3],3,1,2,true,false]" },
		{ "[IN(1, 2; 2, 3), IN(1; 2)]", NULL, "[true,false]" },
		{ "[.[] as $x | .[] as $y | $x == $y, $x < $y, $x >= $y]", "[1,[2]]",
		  "[true,false,true,false,true,false,false,false,true,true,false,true]" },
		{ NULL, NULL, NULL }
	};

	jq_rows_check(rows);
}

#define SLICE_ERROR "Start and end indices of a slice must not be nan"
#define NAN_BOUND "\"start\": (infinite - infinite), \"end\": null"

/* Bounds that are keys are as bad as those that are written with a colon. */
static void
test_bounds(void)
{
	static const struct jq_row rows[] = {
		{ ".[{" NAN_BOUND "}]", "[1]", "! " SLICE_ERROR },
		{ ". as [$l, $n] | $l[{start: 0, end: ($n | sqrt)}]", "[[1],-1]", "! " SLICE_ERROR },
		{ "{start: nan, end: 2} as $k | .[$k]", "\"abc\"", "! " SLICE_ERROR },
		{ "[.[{start: 0, end: nan}]?]", "[1]", "! " SLICE_ERROR },
		{ ".[{" NAN_BOUND "}] = []", "[1]", "! " SLICE_ERROR },
		{ ".[{" NAN_BOUND "}] |= []", "[1]", "! " SLICE_ERROR },
		{ "getpath([{" NAN_BOUND "}])", "[1]", "! " SLICE_ERROR },
		{ "getpath([\"l\", {" NAN_BOUND "}])", "{\"l\":[1]}", "! " SLICE_ERROR },
		{ "path(.[{" NAN_BOUND "}])", "[1]", "! " SLICE_ERROR },
		{ "path(getpath([{" NAN_BOUND "}]))", "[1]", "! " SLICE_ERROR },
		{ "setpath([{" NAN_BOUND "}]; [])", "[1]", "! " SLICE_ERROR },
		{ "delpaths([[{" NAN_BOUND "}]])", "[1]", "! " SLICE_ERROR },
		{ "del(.[{" NAN_BOUND "}])", "[1]", "! " SLICE_ERROR },
		{ "delpaths([[nan]])", "[1]", "! Array index too large" },
		{ "[1 | truncate_stream([[0], 1], [[1, 0], 2], [[1, 0]])]", NULL,
		  "[[[0],2],[[0]]]" },
		{ "nan | truncate_stream([[0], 1])", NULL, "! " SLICE_ERROR },
		{ "[_nwise(2)]", "[1,2,3]", "[[1,2],[3]]" },
		{ "[_nwise(.[1:]; 1)]", "[1,2,3]", "[[2],[3]]" },
		{ "[_nwise(nan)]", "[1,2,3]", "! " SLICE_ERROR },
		{ "[_nwise(.; nan)]", "[1,2,3]", "! " SLICE_ERROR },
		{ "indices({start: nan, end: null})", "\"abc\"", "! " SLICE_ERROR },
		{ ". as {({start: nan, end: null}): $x} | $x", "[1,2]", "! " SLICE_ERROR },
		{ "nth({start: nan, end: null})", "[1,2]", "! " SLICE_ERROR },
		{ "[.[{start: 1, end: null}], .[{\"start\": 0, \"end\": (length - 1)}], .[nan],"
		  " getpath([{start: 1, end: 2}]), getpath([5, \"a\"])]", "[1,2]",
		  "[[2],[1],null,[2],null]" },
		{ "delpaths([range(20) | [{start: ., end: (. + 1)}]])", "[1,2,3]", "[]" },
		{ "delpaths([range(21) | [{start: ., end: (. + 1)}]])", "[1,2,3]",
		  "! Too many slices to be deleted" },
		{ "def s: range(21) as $i | .[$i:$i + 1]; del(s)", "[1]",
		  "! Too many slices to be deleted" },
		{ "del(.l[range(3)], .l[5:]), del(.k)", "{\"l\":[1,2,3,4],\"k\":1}",
		  "{\"l\":[4],\"k\":1}" },
		{ "delpaths([[0], [{start: 1, end: 2}]]) | setpath([0]; 9)", "[1,2,3]", "[9]" },
		{ "[.a[.k], .[\"a\"], .a[\"\\(.k)\"], .a.x?, .[.l[0]].x, .l[-1], .l[0 + 0]]",
		  "{\"a\":{\"x\":1},\"k\":\"x\",\"l\":[\"a\",\"k\"]}",
		  "[1,{\"x\":1},1,1,1,\"k\",\"a\"]" },
		{ "\"a\\([.[] | . + 1]|length)\\([range(200)][150])\"", "[1,2]", "\"a2150\"" },
		{ "if .a then [1, range(3; 5)] else [] end, [2]", "{\"a\":1}", "[1,3,4]" },
		{ "[.[] as [$a, $b] | [$b, $a]] | {(.[0] | tostring): [.[1][]], (\"k\"): 2}",
		  "[[1,2],[3,4]]", "{\"[2,1]\":[4,3],\"k\":2}" },
		{ NULL, NULL, NULL }
	};

	jq_rows_check(rows);
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "parts against parts", test_pairs },
		{ "parts that are shared", test_shared },
		{ "keys that are bounds", test_bounds },
		{ NULL, NULL }
	};

	return suite_run("support/jq: parts of values, and keys", tests);
}
