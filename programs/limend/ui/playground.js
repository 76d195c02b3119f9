// SPDX-License-Identifier: Apache-2.0
// playground.js - dry runs: requests in YAML or JSON, their verdicts with what was asked and what
// would pass, and what an edit of the policy would change.
import { ask, byId, count, make, number, spellTime } from "./dom.js";
import * as graph from "./graph.js";

const EXAMPLES = {
	Pod: "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  namespace: default\nspec:\n  containers:\n  - name: app\n    image: nginx\n    resources:\n      limits: {cpu: \"4\", memory: 8Gi}\n",
	Event: "apiVersion: v1\nkind: Event\nmetadata:\n  name: web.17a\n  namespace: default\ninvolvedObject: {apiVersion: v1, kind: Pod, name: web, namespace: default}\nreason: BackOff\nmessage: Back-off restarting failed container\nsource: {component: kubelet, host: node-1}\ntype: Warning\n",
	"HTTP request": "http:\n  method: GET\n  path: /v1/items?page=2\n  host: api.example.org\n  headers: {X-Api-Key: example}\n",
	Task: "test:\n  type: rtt\n  spec: {dest: ps.example.org}\n" };
let policy = null, shown = null, chosen = false;

// ---- the first example fits the policy ----

function fitting() {
	const types = Object.values(policy.admission || {}).map((entry) => entry.type);
	const parts = [...Object.values(policy.limits || {}), ...Object.values(policy.identifiers || {})].map((entry) => entry.type);
	if (types.length > 0)
		return types.every((type) => /event/i.test(type)) ? "Event" : "Pod";
	return parts.some((type) => type === "route" || type === "header") ? "HTTP request" : "Task";
}

// A Pod of a namespace that has a LimitRange.
function example(name) {
	const ranges = Object.values(policy.admission || {}).flatMap((entry) => (entry.status || {}).limitRanges || []);
	return EXAMPLES[name].replace(/namespace: default/g, () => "namespace: " + (ranges.length > 0 ? ranges[0].metadata.namespace : "default"));
}

export function setPolicy(found) {
	policy = found;
	if (!chosen && byId("request").value === "")
		byId("request").value = example(fitting());
	chosen = true;
	if (shown !== null)
		drawWay(shown);
}

// ---- one decision ----

function boundText(bound) {
	const verbs = { matching: "match", "not matching": "not match" };
	return bound.field + " is " + (bound.have === null ? "not given" : bound.have) + ", must " + (verbs[bound.relation] || "be " + bound.relation) + " " + bound.bound;
}

function traceItem(step, verdict, title) {
	const matches = step.kind === "identifier" || step.kind === "classifier";
	const words = matches ? { pass: "match", fail: "no match" } : {};
	const tint = verdict === "skip" || (matches && verdict === "fail") ? "hint" : verdict;
	const item = make("li", {}, title + ": ", make("span", { class: tint }, words[verdict] || verdict));
	if (step.file)
		item.append(" ", make("span", { class: "place" }, step.file + ":" + step.line));
	const more = [step.reason, ...(step.notes || []), ...(step.bounds || []).map(boundText)].filter(Boolean);
	if (more.length > 0)
		item.append(make("ul", {}, ...more.map((text) => make("li", { class: "hint" }, text))));
	return item;
}

const counted = (step) => !step.inverted ? step.verdict : { pass: "fail", fail: "pass" }[step.verdict] || step.verdict;
const moduleItem = (step) => traceItem(step, counted(step), step.name + " (" + step.type + (step.phase ? ", " + step.phase : "") + ")" + (step.inverted ? ", inverted" : ""));

function applicationItem(decision, app) {
	const item = traceItem(app, app.verdict, app.application + ". " + (app.name || "application") + (app.verdict === "skip" ? ", for others" : ""));
	const groups = decision.steps.filter((step) => step.kind === "group" && step.application === app.application).map((group) => {
		const entry = traceItem(Object.assign({}, group, { file: null }), group.verdict, "group " + group.group + ", require " + group.require);
		entry.append(make("ul", {}, ...decision.trace.filter((step) => step.application === app.application && step.group === group.group).map(moduleItem)));
		return entry;
	});
	if (groups.length > 0)
		item.append(make("ul", {}, ...groups));
	return item;
}

function change(decision) {
	return decision.smallest_change ? make("div", { class: "change" }, make("strong", {}, "Suggested change"),
		make("ul", {}, ...decision.smallest_change.map((step) => make("li", {}, (step.field === undefined ? "wait " + spellTime(step.wait) : boundText(step)) + " (" + step.name + ")")))) : null;
}

function trace(decision) {
	const parts = [], steps = decision.steps || [];
	const add = (title, items) => items.length > 0 && parts.push(make("h3", {}, title), make("ul", {}, ...items));
	const ofKind = (kind) => (decision.trace || []).filter((step) => step.kind === kind && !step.application).map(moduleItem);
	if (decision.unexplained)
		parts.push(make("p", {}, "Application " + decision.unexplained.application + " may be nearer, but its limit '" + decision.unexplained.name + "' does not say what would pass."));
	add("Identifiers", ofKind("identifier"));
	add("Classifiers", steps.filter((step) => step.kind === "classifier").map((step) => traceItem(step, step.verdict, step.name + " (require " + step.require + ")")));
	add("Rewriter", ofKind("rewriter"));
	add("Admission", [...ofKind("admission"), ...steps.filter((step) => step.kind === "admission").map((step) => traceItem(step, step.verdict, step.name + " (" + step.phase + ")"))]);
	add("Applications", steps.filter((step) => step.kind === "application").map((step) => applicationItem(decision, step)));
	add("Prioritizer", ofKind("prioritizer"));
	if (decision.patch && decision.patch.length > 0)
		parts.push(make("h3", {}, "What would be changed"), make("pre", { tabindex: 0 }, make("code", {}, JSON.stringify(decision.patch, null, 2))));
	return make("div", { class: "trace" }, ...parts);
}

// A document that is no question has an error in place of its decision.
const decided = (result, key) => result[key] || (result.error ? { admitted: false, code: result.error.code, reason: result.error.message }
	: { admitted: false, code: 500, reason: "this policy cannot decide it" });
const tintOf = (decision) => decision.admitted ? "pass" : decision.code === 500 ? "error" : "fail";
const verdictText = (decision) => (decision.admitted ? "Admitted" : decision.code === 500 ? "Could not tell" : "Refused") + " (" + decision.code + "): " + decision.reason;

// ---- results ----

const labelOf = (about) => about ? about.label + (about.path ? ", " + about.path : "") + (about.line ? ", line " + about.line : "") : "";

function drawWay(decision) {
	shown = decision;
	byId("way").hidden = decision === null || policy === null;
	if (byId("way").hidden)
		return;
	const model = graph.model(policy);
	graph.mark(model, decision);
	graph.draw(byId("way-graph"), model, null);
}

function clear() {
	byId("verdict").replaceChildren();
	byId("results").replaceChildren();
	byId("edited").replaceChildren();
	byId("forget").hidden = true;
	drawWay(null);
}

function verdict(sort, text) {
	byId("verdict").className = sort;
	byId("verdict").replaceChildren(text);
}

// Puts the cursor where the problem stands.
function goTo(box, line, column) {
	const lines = box.value.split("\n");
	const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
	const from = start + Math.max(0, (column || 1) - 1);
	box.focus();
	box.setSelectionRange(from, Math.max(from, start + (lines[line - 1] || "").length));
}

function problemList(problems, box) {
	return make("ul", { class: "problems" }, ...problems.map((problem) => make("li", { class: problem.severity === "problem" ? "fail" : "error" },
		problem.line > 0 ? make("button", { type: "button", class: "link", click: () => goTo(box, problem.line, problem.column) },
			"line " + problem.line + (problem.column > 0 ? ", column " + problem.column : "")) : null,
		problem.line > 0 ? ": " : "", problem.text, problem.hint ? make("span", { class: "hint" }, " " + problem.hint) : null)));
}

const failed = (problems) => (problems || []).some((problem) => problem.severity === "problem");

function resultItem(result, open) {
	const decision = result.decision;
	return make("details", { open, toggle: (event) => event.target.open && drawWay(decision) },
		make("summary", {}, make("span", { class: tintOf(decision) }, verdictText(decision)), make("span", { class: "hint" }, " " + labelOf(result.about))),
		change(decision), trace(decision));
}

function showResults(answer) {
	const results = (answer.results || []).map((result) => ({ about: result.about, decision: decided(result, "decision") })), problems = answer.problems || [];
	if (failed(problems)) {
		verdict("error", "These are no requests:");
		byId("verdict").append(problemList(problems, byId("request")));
		return;
	}
	const refused = results.filter((result) => !result.decision.admitted), first = refused[0] || results[0];
	if (first === undefined) {
		verdict("error", "There is no request.");
		return;
	}
	verdict(tintOf(first.decision), results.length === 1 ? verdictText(first.decision) : refused.length === 0 ? "All " + results.length + " are admitted"
		: refused.length + " of " + results.length + " are not admitted");
	byId("results").replaceChildren(...(problems.length > 0 ? [problemList(problems, byId("request"))] : []),
		...(results.length === 1 ? [change(first.decision) || "", trace(first.decision)] : results.map((result) => resultItem(result, result === first))));
	byId("forget").hidden = false;
	drawWay(first.decision);
}

// The hints of the form; throws what is wrong with them.
function hints() {
	const text = byId("hints").value.trim();
	const found = text === "" ? {} : JSON.parse(text);
	if (typeof found !== "object" || found === null || Array.isArray(found))
		throw new SyntaxError("hints are an object");
	return text === "" ? {} : { hints: found };
}

async function send(path, more, show) {
	let body;
	clear();
	try {
		body = Object.assign({ text: byId("request").value }, hints(), more);
	} catch (error) {
		verdict("error", "The hints are no object in JSON: " + error.message);
		return;
	}
	try {
		const answer = await ask(path, body);
		if (answer.status === 200)
			show(answer.json);
		else
			verdict("error", (answer.json || {}).message || "status " + answer.status);
	} catch (error) {
		verdict("error", "The daemon does not answer: " + error.message);
	}
}

const decide = () => send("ui/try", {}, showResults);

// ---- an edit of the policy ----

function compared(result) {
	return make("li", { class: result.changed === false ? "hint" : "" }, make("strong", {}, labelOf(result.about) + (result.changed === false ? ": no change" : "")),
		make("div", { class: tintOf(decided(result, "before")) }, "now: " + verdictText(decided(result, "before"))),
		result.changed === false ? null : make("div", { class: tintOf(decided(result, "after")) }, "then: " + (verdictText(decided(result, "before")) === verdictText(decided(result, "after"))
			? "the same, with other changes to the object" : verdictText(decided(result, "after")))));
}

// "12 refused are admitted, 3 admitted are refused"
function transitions(changed) {
	const word = (decision) => decision.admitted ? "admitted" : "refused", sums = {};
	changed.forEach((entry) => {
		const [before, after] = ["before", "after"].map((key) => word(decided(entry, key)));
		const text = before === after ? before + " differently" : before + " now, " + after + " then";
		sums[text] = (sums[text] || 0) + 1;
	});
	return Object.entries(sums).map(([text, amount]) => number.format(amount) + " " + text).join("; ");
}

function showEdit(answer) {
	const problems = answer["policy-problems"] || [], parts = [], kept = answer.recent;
	if (problems.length > 0)
		parts.push(make("h3", {}, failed(problems) ? "This is no policy" : "About the policy"), problemList(problems, byId("edit")));
	if ((answer.problems || []).length > 0)
		parts.push(make("h3", {}, "About the request"), problemList(answer.problems, byId("request")));
	if ((answer.results || []).length > 0)
		parts.push(make("h3", {}, "The request"), make("ul", {}, ...answer.results.map(compared)));
	if (kept && !failed(problems))
		parts.push(make("h3", {}, "Recent decisions"), make("p", {}, kept.decided === 0 ? "None is kept with its document (--recent-documents)."
			: number.format(kept.changed.length) + " of " + count(kept.decided, "decision") + " would change. " + transitions(kept.changed)),
		make("ul", {}, ...kept.changed.slice(0, 100).map((entry) => compared({ before: entry.before, after: entry.after,
			about: { label: [entry.about.time, entry.about.namespace, entry.about.kind, entry.about.name, entry.about.requester].filter(Boolean).join(" ") } }))));
	byId("edited").replaceChildren(...parts);
}

// ---- links ----

// The request of a link stands in the fragment, which browsers send nowhere.
export function open(text, hintText) {
	chosen = true;
	clear();
	byId("request").value = text;
	byId("hints").value = hintText || "";
}

export function openLink(fragment) {
	let parts;
	try {
		parts = fragment.split("&").map(decodeURIComponent);
	} catch (error) {
		open("", "");
		verdict("error", "The link is broken.");
		return;
	}
	open(...parts);
	decide();
}

function makeLink() {
	const parts = [byId("request").value, byId("hints").value].map(encodeURIComponent);
	history.replaceState(null, "", "#playground/" + (parts[1] === "" ? parts[0] : parts.join("&")));
	byId("link-note").textContent = "The address of this page has the request now. Copy it.";
	if (navigator.clipboard)
		navigator.clipboard.writeText(location.href).then(() => { byId("link-note").textContent = "The link is copied."; }, () => null);
}

// A question that was kept; its hints have a box of their own.
export function tryQuestion(question) {
	const { hints: found, ...rest } = question;
	open(JSON.stringify(rest, null, 2), found ? JSON.stringify(found) : "");
	location.hash = "#playground";
	decide();
}

export function start() {
	byId("examples").append(...Object.keys(EXAMPLES).map((name) =>
		make("button", { type: "button", class: "plain", click: () => open(example(name), "") }, name)));
	byId("try").addEventListener("submit", (event) => { event.preventDefault(); decide(); });
	byId("try").addEventListener("keydown", (event) => {
		if (event.key === "Enter" && event.ctrlKey) {
			event.preventDefault();
			decide();
		}
	});
	byId("forget").addEventListener("click", clear);
	byId("link").addEventListener("click", makeLink);
	byId("compare").addEventListener("click", () => send("ui/edit", { policy: byId("edit").value }, showEdit));
}
