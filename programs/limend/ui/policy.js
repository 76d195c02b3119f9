// SPDX-License-Identifier: Apache-2.0
// policy.js - the view of the policy: the graph with the counts of each entry, the box that is
// chosen, and the ranges of LimitRanger by namespace.
import { byId, make, number, say, table } from "./dom.js";
import * as graph from "./graph.js";

let model = null, shape = "", drawn = null, chosen = null, policy = null;

// ---- the box that is chosen ----

const bounds = (item) => Object.entries(item).filter(([, values]) => typeof values === "object" && values !== null)
	.map(([bound, values]) => bound + " " + Object.entries(values).map(([resource, value]) => resource + " " + value).join(", ")).join("; ");

// The items of the LimitRanges, with the violations of each since the load.
function ranges(status) {
	const rows = (status.limitRanges || []).flatMap((range) => (range.spec.limits || []).map((item, i) =>
		[range.metadata.namespace, range.metadata.name, (i + 1) + ". " + item.type, bounds(item), number.format(item.violations || 0)]))
		.sort((a, b) => a[0] < b[0] ? -1 : Number(a[0] > b[0]));
	return rows.length === 0 ? null : make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Ranges" },
		table([["Namespace"], ["LimitRange"], ["Item"], ["Bounds"], ["Violations", "number"]], rows));
}

function showDetail(node) {
	const entry = graph.entryOf(policy, node), lines = [make("p", {}, make("strong", {}, node.title), node.type === "" ? "" : " · " + node.type,
		node.remark === "" ? "" : " · " + node.remark)];
	if (node.description !== "" && node.section !== "applications")
		lines.push(make("p", {}, node.description));
	if (node.counts)
		lines.push(make("p", {}, graph.countText(node.counts) + " since the load"));
	if (node.file !== "")
		lines.push(make("p", { class: "place" }, node.file + ":" + node.line));
	lines.push(ranges((entry || {}).status || {}));
	byId("detail").replaceChildren(...lines.filter(Boolean));
}

function choose(node) {
	chosen = node.key;
	model.nodes.forEach((other) => {
		other.element.setAttribute("tabindex", other === node ? 0 : -1);
		other.element.setAttribute("aria-pressed", String(other === node));
	});
	model.edges.forEach((edge) => edge.path.classList.toggle("chosen", edge.from === node.key || edge.to === node.key));
	showDetail(node);
}

// ---- the graph ----

// Tab stops at one box, however many there are; arrows move between them.
export function redraw() {
	const focused = document.activeElement && document.activeElement.closest("#graph");
	if (model === null)
		return;
	drawn = graph.draw(byId("graph"), model, choose);
	const node = model.nodes.get(chosen) || (drawn.columns[0] || [])[0];
	if (node === undefined)
		return;
	node.element.setAttribute("tabindex", 0);
	if (model.nodes.has(chosen))
		choose(node);
	if (focused)
		node.element.focus();
}

function move(event) {
	const from = model && model.nodes.get(chosen);
	const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
	if (!from || !(event.key in steps) || event.ctrlKey || event.altKey || event.metaKey)
		return;
	event.preventDefault();
	const [x, y] = steps[event.key];
	const column = drawn.columns[from.column + x];
	if (column === undefined)
		return;
	const to = x === 0 ? column[from.row + y]
		: column.reduce((best, node) => Math.abs(node.y - from.y) < Math.abs(best.y - from.y) ? node : best);
	if (to !== undefined)
		to.element.focus();
}

function countOf(found) {
	const size = (section) => Object.keys(found[section] || {}).length;
	return [[size("identifiers"), "identifiers"], [size("classifiers"), "classifiers"],
		[(found["application-list"] || []).length, "applications"], [size("limits"), "limits"],
		[size("admission"), "admission entries"]].filter(([amount]) => amount > 0)
		.map(([amount, what]) => amount + " " + (amount === 1 ? what.replace(/ies$/, "y").replace(/s$/, "") : what)).join(", ");
}

// Counters of modules change all the time, so only another policy, or other counts, are drawn.
export function show(found) {
	policy = found;
	say("policy-text", found.ready ? countOf(found) + ". Loaded " + found.loaded.slice(0, 19).replace("T", " ") + " UTC from " + Object.keys(found.files || {}).join(", ") + (found.loads > 1 ? ". Load " + number.format(found.loads) + " set the counts of the rules to zero" : ". Counts since then") + "; a dashed box was never asked, or never matched."
		: "No policy is loaded: everything is admitted, or nothing can be told.");
	const next = graph.model(found);
	const text = JSON.stringify(next, (key, value) => value instanceof Map ? [...value] : value);
	if (text === shape)
		return false;
	shape = text;
	model = next;
	redraw();
	return true;
}

export function start() {
	byId("graph").addEventListener("keydown", move);
}
