// SPDX-License-Identifier: Apache-2.0
// graph.js - the policy as a picture: what GET /v1/policy tells, in columns by section,
// drawn as SVG.  Nothing of it is put into the page as markup.
import { draw as element, number } from "./dom.js";

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
const short = { format: (amount) => (amount < 1e5 ? number : compact).format(amount) };
const WIDTH = 172, HEIGHT = 58, GAP_X = 50, GAP_Y = 14, TOP = 36, MARGIN = 18;
const SECTIONS = ["identifiers", "classifiers", "rewriter", "admission", "applications",
	"limits", "prioritizer", "stores"];
const TITLES = ["Identifiers", "Classifiers", "Rewriter", "Admission", "Applications",
	"Limits", "Prioritizer", "Stores"];

// The same nodes and edges as "limen graph" shows, in the same order.
export function model(policy) {
	const nodes = new Map(), edges = [];
	const key = (section, name) => section + "/" + name;
	const add = (section, name, from, title, type, remark) => nodes.set(key(section, name), {
		key: key(section, name), section, name, title: title || name, type, remark,
		description: from.description || "", file: from.file || "", line: from.line || 0,
		state: "plain", reason: "", counts: from.counts || null });
	const join = (from, to, label, store) => {
		if (nodes.has(from) && nodes.has(to))
			edges.push({ from, to, label: label || "", store: Boolean(store), state: "plain" });
	};
	const each = (object, act) => Object.entries(object || {}).forEach(([name, from]) => act(name, from));

	each(policy.identifiers, (name, from) => add("identifiers", name, from, name, from.type, from.invert ? "inverted" : ""));
	each(policy.classifiers, (name, from) => add("classifiers", name, from, name, "require " + from.require, ""));
	if (policy.rewrite)
		add("rewriter", "rewrite", policy.rewrite, "rewrite", policy.rewrite.type, "");
	each(policy.admission, (name, from) => add("admission", name, from, name, from.type, from.enforce === "deny" ? "" : from.enforce));
	const list = policy["application-list"] || [];
	list.forEach((from, i) => add("applications", String(i + 1), from, (i + 1) + ". " + (from.description || "application"), "",
		[from["stop-on-failure"] ? "stops on failure" : "", from.invert ? "inverted" : "", from.enforce].filter(Boolean).join(", ")));
	each(policy.limits, (name, from) => add("limits", name, from, name, from.type, from.invert ? "inverted" : from.enforce || ""));
	if (policy.priority)
		add("prioritizer", "priority", policy.priority, "priority", policy.priority.type, "");
	each(policy.stores, (name, from) => add("stores", name, from, name, from.type, ""));

	each(policy.classifiers, (name, from) => (from.members || []).forEach((member) => join(key("identifiers", member), key("classifiers", name))));
	list.forEach((from, i) => {
		const at = key("applications", i + 1);
		if (from.classifier !== null)
			join(key("classifiers", from.classifier), at);
		(from.apply || []).forEach((group, number) => {
			group.limits.forEach((limit) => join(at, key("limits", limit),
				(from.apply.length > 1 ? (number + 1) + ": " : "") + group.require));
			(group.observing || []).forEach((limit) => join(at, key("limits", limit), "audit"));
		});
	});
	let before = null;
	each(policy.admission, (name, from) => {
		if (before !== null)
			join(before, key("admission", name));
		before = key("admission", name);
		(from.classifiers || []).forEach((one) => join(key("classifiers", one), before));
	});
	[["admission", policy.admission], ["limits", policy.limits]].forEach(([section, entries]) => each(entries, (name, from) =>
		each(from.tables, (table, about) => join(key(section, name), key("stores", about.store), "", true))));
	return { nodes, edges };
}

// What one decision came by: colours by verdict, as "limen graph --request".
export function mark(of, decision) {
	const counted = (verdict, inverted) => inverted && verdict === "pass" ? "fail" : inverted && verdict === "fail" ? "pass" : verdict;
	const section = { identifier: "identifiers", rewriter: "rewriter", limit: "limits", admission: "admission", prioritizer: "prioritizer" };
	const rank = ["unasked", "skip", "pass", "fail", "error"];
	const set = (key, state, reason) => {
		const node = of.nodes.get(key);
		if (node && rank.indexOf(state) >= rank.indexOf(node.state)) {
			node.state = state;
			node.reason = reason || node.reason;
		}
	};
	of.nodes.forEach((node) => { node.state = node.section === "stores" ? "plain" : "unasked"; node.counts = null; });
	(decision.trace || []).forEach((one) => set(section[one.kind] + "/" + one.name, counted(one.verdict, one.inverted), one.reason));
	(decision.steps || []).forEach((one) => {
		if (one.kind === "classifier")
			set("classifiers/" + one.name, one.verdict);
		else if (one.kind === "application")
			set("applications/" + one.application, one.verdict);
	});
	of.edges.forEach((edge) => {
		const from = of.nodes.get(edge.from), to = of.nodes.get(edge.to);
		const asked = rank.indexOf(from.state) > 1 && rank.indexOf(to.state) > 1;
		if (!asked || edge.store)
			edge.state = "plain";
		else if (from.section === "applications")
			edge.state = to.state;
		else
			edge.state = from.state === "fail" && from.section !== "admission" ? "plain" : from.state;
	});
}

// Who is not identified, or not classified, is not refused by that.
const grouping = (node) => node.section === "identifiers" || node.section === "classifiers";
const shown = (node) => grouping(node) && node.state === "fail" ? "skip" : node.state;
const wordOf = (node) => (grouping(node) && { pass: "match", fail: "no match" }[node.state]) || node.state;

// Sections that few things are in share a column.
const COLUMNS = [["identifiers"], ["classifiers", "rewriter"], ["admission"], ["applications"], ["limits"],
	["prioritizer", "stores"]];

// Within a section, by the middle of what leads there; chains keep their order.
function sort(of, nodes, into, order) {
	const weight = (node) => {
		const found = (into.get(node.key) || []).filter((key) => order.has(key)).map((key) => order.get(key));
		return found.length === 0 || node.section === "admission" || node.section === "applications"
			? null : found.reduce((a, b) => a + b, 0) / found.length;
	};
	const sorted = nodes.map((node, i) => ({ node, i, weight: weight(node) }));
	if (nodes.length > 0 && nodes[0].section !== "identifiers")
		sorted.sort((a, b) => (a.weight === null ? a.i : a.weight) - (b.weight === null ? b.i : b.weight) || a.i - b.i);
	sorted.forEach((one, i) => order.set(one.node.key, i));
	return sorted.map((one) => one.node);
}

function place(of) {
	const into = new Map(), order = new Map(), columns = [], titles = [];
	of.edges.forEach((edge) => into.set(edge.to, (into.get(edge.to) || []).concat(edge.from)));
	COLUMNS.forEach((sections) => {
		const parts = sections.map((section) => sort(of, [...of.nodes.values()].filter((node) => node.section === section), into, order))
			.filter((part) => part.length > 0);
		if (parts.length > 0)
			columns.push(parts);
	});
	const tall = (parts) => parts.reduce((sum, part) => sum + TOP + part.length * (HEIGHT + GAP_Y), 0);
	const height = Math.max(TOP, ...columns.map(tall));
	columns.forEach((parts, number) => {
		let y = (height - tall(parts)) / 2, row = 0;
		parts.forEach((part) => {
			titles.push({ x: MARGIN + number * (WIDTH + GAP_X) + WIDTH / 2, y: y + TOP - 12, section: part[0].section });
			y += TOP;
			part.forEach((node) => {
				node.x = MARGIN + number * (WIDTH + GAP_X);
				node.y = y;
				node.column = number;
				node.row = row++;
				y += HEIGHT + GAP_Y;
			});
		});
	});
	return { columns: columns.map((parts) => parts.flat()), titles, width: 2 * MARGIN + columns.length * (WIDTH + GAP_X) - GAP_X,
		height: height + MARGIN };
}

function cut(text, most) {
	const letters = [...text];
	return letters.length > most ? letters.slice(0, most - 1).join("") + "…" : text;
}

function curve(from, to) {
	if (from.column === to.column) {
		const x = from.x + WIDTH / 2;
		return "M" + x + "," + (from.y + HEIGHT) + " L" + x + "," + to.y;
	}
	const x1 = from.x + WIDTH, y1 = from.y + HEIGHT / 2, x2 = to.x, y2 = to.y + HEIGHT / 2, middle = (x1 + x2) / 2;
	return "M" + x1 + "," + y1 + " C" + middle + "," + y1 + " " + middle + "," + y2 + " " + x2 + "," + y2;
}

// "37 of 1,234 refused, 2 errors", or "would refuse 37 of 1,234" of an entry that only warns
export function countText(counts, format = number) {
	if (counts.would > 0 && !counts.refused && !counts.errors)
		return "would refuse " + format.format(counts.would) + " of " + format.format(counts.asked);
	const [amount, word] = counts.matched === undefined ? [counts.refused, " refused"] : [counts.matched, " matched"];
	const more = [[counts.would, " would be"], [counts.errors, " errors"]].filter(([extra]) => extra > 0).map(([extra, words]) => format.format(extra) + words);
	return counts.asked === 0 ? "never asked" : [amount > 0 ? format.format(amount) + " of " + format.format(counts.asked) + word : format.format(counts.asked) + " asked", ...more].join(", ");
}

// The entry of the policy that a node stands for.
export function entryOf(policy, node) {
	if (node.section === "applications")
		return policy["application-list"][Number(node.name) - 1];
	return node.section === "rewriter" ? policy.rewrite : node.section === "prioritizer" ? policy.priority : (policy[node.section] || {})[node.name];
}

// The name of a box, and its tooltip.  The texts of the box come first, as those who speak to their
// computer say what they see.
function describe(node, texts) {
	return [...texts, TITLES[SECTIONS.indexOf(node.section)].replace(/s$/, ""), texts[0] === node.title ? "" : node.title,
		node.state === "unasked" ? "not asked" : "", node.description === node.title ? "" : node.description].filter(Boolean).join(", ");
}

export function draw(svg, of, choose) {
	const at = place(of);
	svg.replaceChildren();
	svg.setAttribute("width", at.width);
	svg.setAttribute("height", at.height);
	svg.setAttribute("viewBox", "0 0 " + at.width + " " + at.height);
	at.titles.forEach((one) => svg.append(element("text", { class: "title", x: one.x, y: one.y },
		TITLES[SECTIONS.indexOf(one.section)])));
	of.edges.forEach((edge) => {
		const from = of.nodes.get(edge.from), to = of.nodes.get(edge.to);
		edge.path = element("path", { d: curve(from, to), class: edge.state + (edge.store ? " store" : "") });
		svg.append(edge.path);
		if (edge.label !== "")
			svg.append(element("text", { class: "label", x: from.x + WIDTH + GAP_X * .72,
				y: from.y + HEIGHT / 2 + (to.y - from.y) * .87 - 4 }, edge.label));
	});
	of.nodes.forEach((node) => svg.append(box(node, choose)));
	return at;
}

function box(node, choose) {
	const words = [node.type, node.remark, node.state === "plain" || node.state === "unasked" ? "" : wordOf(node)].filter(Boolean).join(" · ");
	const texts = [cut(node.title, 25), cut(words, 28), node.counts ? cut(countText(node.counts, short), 28) : ""].filter(Boolean);
	const never = node.counts && (node.counts.asked === 0 || node.counts.matched === 0) ? " never" : "";
	const group = element("g", choose === null ? { class: "node " + shown(node) } : { class: "node " + shown(node) + never, role: "button", tabindex: -1,
		"aria-pressed": "false", click: () => choose(node), focus: () => choose(node) });
	group.append(element("title", {}, describe(node, texts)), element("rect", { x: node.x, y: node.y, width: WIDTH, height: HEIGHT, rx: 8 }));
	const top = node.y + HEIGHT / 2 + 12 - 8 * texts.length;
	texts.forEach((text, i) => group.append(element("text", { class: i === 0 ? "name" : "type", x: node.x + WIDTH / 2, y: top + 16 * i }, text)));
	node.element = group;
	return group;
}
