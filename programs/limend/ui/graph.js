// SPDX-License-Identifier: Apache-2.0
// graph.js - the policy as a picture: what GET /v1/policy tells, in columns by section,
// drawn as SVG.  Nothing of it is put into the page as markup.
"use strict";

const limenGraph = (() => {
	const SVG = "http://www.w3.org/2000/svg";
	const WIDTH = 172, HEIGHT = 46, GAP_X = 68, GAP_Y = 14, TOP = 36, MARGIN = 18;
	const SECTIONS = ["identifiers", "classifiers", "rewriter", "admission", "applications",
		"limits", "prioritizer", "stores"];
	const TITLES = ["Identifiers", "Classifiers", "Rewriter", "Admission", "Applications",
		"Limits", "Prioritizer", "Stores"];

	// The same nodes and edges as "limen graph" shows, in the same order.
	function model(policy) {
		const nodes = new Map(), edges = [];
		const key = (section, name) => section + "/" + name;
		const add = (section, name, from, title, type, remark) => nodes.set(key(section, name), {
			key: key(section, name), section, name, title: title || name, type, remark,
			description: from.description || "", file: from.file || "", line: from.line || 0,
			state: "plain", reason: "" });
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
	function mark(of, decision) {
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
		of.nodes.forEach((node) => { node.state = node.section === "stores" ? "plain" : "unasked"; node.reason = ""; });
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
	function shown(node) {
		const grouping = node.section === "identifiers" || node.section === "classifiers";
		return grouping && node.state === "fail" ? "skip" : node.state;
	}

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

	function element(name, attributes, text) {
		const made = document.createElementNS(SVG, name);
		Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
		if (text !== undefined)
			made.textContent = text;
		return made;
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

	function describe(node) {
		return [TITLES[SECTIONS.indexOf(node.section)].replace(/s$/, ""), node.title, node.type, node.remark,
			node.state === "plain" ? "" : node.state === "unasked" ? "not asked" : node.state,
			node.description === node.title ? "" : node.description].filter(Boolean).join(", ");
	}

	function draw(svg, of, choose) {
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
		const group = element("g", { class: "node " + shown(node), role: "button", tabindex: -1, "aria-label": describe(node), "aria-pressed": "false" });
		const words = [node.type, node.remark, node.state === "plain" || node.state === "unasked" ? "" : node.state].filter(Boolean).join(" · ");
		group.append(element("title", {}, describe(node)));
		group.append(element("rect", { x: node.x, y: node.y, width: WIDTH, height: HEIGHT, rx: 8 }));
		group.append(element("text", { x: node.x + WIDTH / 2, y: node.y + (words === "" ? 27 : 20) }, cut(node.title, 25)));
		if (words !== "")
			group.append(element("text", { class: "type", x: node.x + WIDTH / 2, y: node.y + 36 }, cut(words, 28)));
		group.addEventListener("click", () => choose(node));
		group.addEventListener("focus", () => choose(node));
		node.element = group;
		return group;
	}

	return { model, mark, draw };
})();
