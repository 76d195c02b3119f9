// SPDX-License-Identifier: Apache-2.0
// decisions.js - the view of recent decisions: a live table with a filter, groups with counts, and
// who is refused most.  The entries come from GET /v1/recent.
import { age, ask, byId, clock, count, make, number, put, say, spellSeconds, spellTime, table } from "./dom.js";

const KEPT = 1200, SHOWN = 200;
const WORDS = { refused: "refused", "would-refuse": "would be refused", error: "error", admitted: "admitted" };
const TINTS = { refused: "fail", "would-refuse": "odd", error: "error", admitted: "pass" };
let entries = [], newest = null, paused = false, group = "", held = Infinity, answer = null, tryIt = null, placeOf = null;
const rows = new Map();       // by number: the row, and that of its details or null

const owner = (entry) => entry.requester || (entry.user || "").replace(/^system:serviceaccount:/, "");
const thing = (entry) => [entry.kind, entry.name].filter(Boolean).join(" ") || entry.subject || "";
const first = (entry) => (entry.violations || [])[0] || {};
// The field of a LimitRange, without the values that this request had.
const rule = (entry) => [entry.entry, (/LimitRange "[^"]*" spec\S+/.exec(first(entry).rule || "") || [""])[0]].filter(Boolean).join(" ");
const KEYS = { namespace: (entry) => entry.namespace || "", rule, owner: (entry) => entry.controller || owner(entry) };

// All that the table and its details say, in small letters.
function textOf(entry) {
	return [entry.time, WORDS[entry.verdict], entry.endpoint, entry.namespace, thing(entry), entry.controller, entry.user, entry.requester,
		entry.entry, entry.code, entry.enforce, rule(entry), ...(entry.violations || []).flatMap((one) => [one.field, one.reason, one.rule])]
		.filter(Boolean).join("\n").toLowerCase();
}

function wanted() {
	const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean), verdict = byId("verdict-filter").value;
	return entries.filter((entry) => (verdict === "" ? entry.verdict !== "admitted" || words.length > 0 : verdict === "all" || entry.verdict === verdict) &&
		words.every((word) => entry.words.includes(word)));
}

// ---- a row and its details ----

// What would pass, by the bound that the rule names, or the message of Kubernetes.
function passing(one) {
	const message = /^(maximum|minimum) (.+) usage per (\w+) is ([^,\s]+),/.exec(one.reason || "");
	const bound = /\.(max|min|maxLimitRequestRatio)(?:\[[^\]]*\])? is (\S+)$/.exec(one.rule || "");
	if (bound === null)
		return message === null ? "" : message[2] + " of the " + message[3] + (message[1] === "maximum" ? " at most " : " at least ") + message[4];
	return (one.field ? one.field + " " : "") + (bound[1] === "min" ? "at least " : bound[1] === "max" ? "at most " : "limit / request at most ") + bound[2];
}

function violation(one) {
	return make("li", {}, make("p", {}, one.reason), passing(one) === "" ? null : make("p", { class: "passes" }, "Would pass: ", make("strong", {}, passing(one))),
		one.rule ? make("p", { class: "soft" }, one.rule) : null);
}

function details(entry) {
	const facts = [["Rule of", [entry.entry, placeOf(entry.entry)].filter(Boolean).join(" at ")], ["Time", entry.time], ["Asked at", entry.endpoint], ["Code", entry.code], ["Enforce", entry.enforce],
		["Controller", entry.controller], ["User", entry.user], ["Requester", entry.requester],
		["Took", entry.duration === undefined ? undefined : spellSeconds(entry.duration)]].filter(([, value]) => value !== undefined && value !== "");
	const violations = entry.violations || [];
	return make("tr", { class: "details" }, make("td", { colspan: 6 },
		violations.length > 0 ? make("ul", {}, ...violations.map(violation)) : make("p", {}, entry.verdict === "admitted" ? "No rule was violated." : "No more is kept about it."),
		entry["retry-after"] ? make("p", { class: "passes" }, "Would pass: ", make("strong", {}, "in " + spellTime(entry["retry-after"]))) : null,
		make("dl", {}, ...facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, String(value))))),
		entry.document && byId("playground-link").hidden === false ? make("button", { type: "button", click: () => tryIt(entry.document) }, "Try it") : null));
}

function toggle(entry) {
	const row = rows.get(entry.number);
	row.below = row.below === null ? details(entry) : null;
	row.line.querySelector("button").setAttribute("aria-expanded", String(row.below !== null));
	show();
}

function rowOf(entry) {
	if (!rows.has(entry.number)) {
		const act = (event) => { event.stopPropagation(); toggle(entry); };
		rows.set(entry.number, { below: null, line: make("tr", { class: "entry", click: act },
			make("td", {}, make("button", { type: "button", class: "opens", "aria-expanded": "false", click: act }, clock(entry.time))),
			make("td", { class: TINTS[entry.verdict] }, WORDS[entry.verdict] || entry.verdict),
			make("td", {}, entry.namespace || ""), make("td", {}, thing(entry)), make("td", {}, owner(entry)),
			make("td", {}, make("span", { class: "cut" }, first(entry).reason || entry.entry || ""))) });
	}
	return rows.get(entry.number);
}

// ---- the table, or groups ----

function grouped(found) {
	const groups = new Map();
	found.forEach((entry) => {
		const key = KEYS[group](entry);
		const line = groups.get(key) || { refused: 0, "would-refuse": 0, error: 0, admitted: 0, last: entry.time };
		line[entry.verdict]++;
		groups.set(key, line);
	});
	const worst = (line) => line.refused + line["would-refuse"] + line.error;
	return [...groups].sort(([, a], [, b]) => worst(b) - worst(a));
}

const filterBy = (text) => make("button", { type: "button", class: "link", click: () => { group = ""; byId("filter").value = text; show(); } }, text || "(none)");

function showGroups(found) {
	const cells = (line) => ["refused", "would-refuse", "error", "admitted"].map((verdict) => number.format(line[verdict]));
	byId("groups").replaceChildren(table([[{ namespace: "Namespace", rule: "Rule", owner: "Owner" }[group]], ["Refused", "number"], ["Would be", "number"], ["Errors", "number"],
		["Admitted", "number"], ["Last", "number"]], grouped(found).map(([key, line]) => [filterBy(key), ...cells(line), clock(line.last)])));
}

// While a row is open, newer entries wait, so that the row stays where it is.
function shownNow() {
	const found = wanted();
	held = group === "" && found.some((entry) => (rows.get(entry.number) || {}).below) ? Math.min(held, newest) : Infinity;
	return [found.filter((entry) => entry.number <= held), found.filter((entry) => entry.number > held).length];
}

export function show() {
	const [found, waiting] = shownNow();
	byId("groups").hidden = group === "";
	byId("decision-table").hidden = group !== "" || found.length === 0;
	["namespace", "rule", "owner"].forEach((key) => byId("by-" + key).setAttribute("aria-pressed", String(group === key)));
	if (group !== "")
		showGroups(found);
	else
		put(byId("decision-table").tBodies[0], found.slice(0, SHOWN).map(rowOf).flatMap((row) => row.below === null ? [row.line] : [row.line, row.below]));
	const lost = answer === null ? 0 : answer.lost.refusals + answer.lost.admissions;
	say("decisions-note", (found.length === 0 ? "No such decision is kept" : count(found.length, "decision")) + (found.length > SHOWN && group === "" ? ", the newest " + SHOWN + " shown" : "") +
		", of " + number.format(entries.length) + (lost > 0 ? "; " + number.format(lost) + " older ones are no longer kept" : "") + (waiting > 0 ? "; " + number.format(waiting) + " newer wait while a row is open" : "") + (paused ? ". Paused" : ""));
}

// ---- by namespace, by requester ----

function showWorst(id, lines, key, word) {
	const some = (lines || []).length > 0;
	byId(id).hidden = !some;
	if (some)
		byId(id).querySelector(".scroll").replaceChildren(table([[word], ["Refused", "number"], ["Would be", "number"], ["Errors", "number"], ["Last", "number"]],
			lines.map((line) => [line.rest ? "all others" : filterBy(line[key]), number.format(line.refused || 0), number.format(line["would-refuse"] || 0),
				number.format(line.errors || 0), line.last ? make("time", { datetime: line.last, title: line.last }, age(line.last)) : ""])));
}

// ---- entries arrive ----

function add(found) {
	const known = new Set(entries.map((entry) => entry.number));
	found.filter((entry) => !known.has(entry.number)).forEach((entry) => {
		entry.words = textOf(entry);
		entries.push(entry);
	});
	entries.sort((a, b) => b.number - a.number);
	// Admissions go first, so that they push no refusal out.
	for (let i = entries.length - 1; entries.length > KEPT && i >= 0; i--)
		if (entries[i].verdict === "admitted")
			entries.splice(i, 1);
	entries.splice(KEPT);
	const kept = new Set(entries.map((entry) => entry.number));
	[...rows.keys()].filter((key) => !kept.has(key)).forEach((key) => rows.delete(key));
}

export async function refresh() {
	if (paused)
		return;
	const reply = await ask("v1/recent?number=" + KEPT + (newest === null ? "" : "&since=" + newest));
	// It may have been paused meanwhile.
	if (paused)
		return;
	byId("decisions-body").hidden = reply.status !== 200;
	if (reply.status !== 200) {
		say("decisions-note", reply.status === 403 ? "Decisions name people, so only trusted clients see them: those of --ui-listen, the unix socket, a client certificate, an address of --trust-hints-from."
			: (reply.json || {}).message || "status " + reply.status);
		return;
	}
	// A daemon that started again counts from nothing.
	if (newest !== null && reply.json.number < newest) {
		entries = [];
		newest = null;
		rows.clear();
		return refresh();
	}
	answer = reply.json;
	newest = answer.number;
	add(answer.decisions);
	show();
	showWorst("namespaces", answer.namespaces, "namespace", "Namespace");
	showWorst("requesters", answer.requesters, "requester", "Requester");
}

export function start(tryDocument, placeOfEntry) {
	tryIt = tryDocument;
	placeOf = placeOfEntry;
	["namespace", "rule", "owner"].forEach((key) => byId("by-" + key).addEventListener("click", () => {
		group = group === key ? "" : key;
		show();
	}));
	["filter", "verdict-filter"].forEach((id) => byId(id).addEventListener("input", show));
	byId("pause").addEventListener("click", () => {
		paused = !paused;
		byId("pause").setAttribute("aria-pressed", String(paused));
		byId("pause").textContent = paused ? "Go on" : "Pause";
		show();
		refresh();
	});
}
