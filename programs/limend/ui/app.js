// SPDX-License-Identifier: Apache-2.0
// app.js - the console: asks the daemon that served it, again and again, and shows what
// it says.  All texts are put in as texts, whatever they hold.
"use strict";

(() => {
	const EVERY = 2000, SAMPLES = 60;
	const byId = (id) => document.getElementById(id);
	const number = new Intl.NumberFormat("en");
	const samples = [];       // of counters, the newest last
	let model = null, policyText = "", drawn = null, chosen = null, shownDecision = null;

	function make(name, attributes, ...children) {
		const made = document.createElement(name);
		Object.entries(attributes || {}).forEach(([key, value]) => made.setAttribute(key, value));
		made.append(...children);
		return made;
	}

	async function ask(path) {
		const answer = await fetch(path, { cache: "no-store", credentials: "same-origin" });
		return { status: answer.status, text: await answer.text() };
	}

	// What did not change is not written again: screen readers would read it again.
	function say(id, text) {
		if (byId(id).textContent !== text)
			byId(id).textContent = text;
	}

	// ---- figures ----

	// Prometheus' text: NAME{KEY="VALUE",...} NUMBER
	function readMetrics(text) {
		const found = { decisions: {}, buckets: {}, loads: 0, failures: 0 };
		const unquote = (value) => value.replace(/\\(.)/g, (all, c) => c === "n" ? "\n" : c);
		for (const line of text.split("\n")) {
			const parts = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line);
			if (parts === null)
				continue;
			const labels = {};
			for (const label of (parts[2] || "").matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g))
				labels[label[1]] = unquote(label[2]);
			const value = Number(parts[3]);
			if (parts[1] === "limend_decisions_total")
				found.decisions[labels.endpoint + " " + labels.code] = value;
			else if (parts[1] === "limend_decision_seconds_bucket")
				found.buckets[labels.le] = (found.buckets[labels.le] || 0) + value;
			else if (parts[1] === "limend_policy_loads_total")
				found.loads = value;
			else if (parts[1] === "limend_policy_load_failures_total")
				found.failures = value;
		}
		return found;
	}

	const sortOf = (code) => code === "200" ? "pass" : code === "500" || code === "other" ? "error" : "fail";

	function sums(sample) {
		const total = { pass: 0, fail: 0, error: 0 };
		Object.entries(sample.decisions).forEach(([key, value]) => { total[sortOf(key.split(" ")[1])] += value; });
		return total;
	}

	// Buckets of a histogram hold all that is below their bound.
	function quantile(from, to, share) {
		const bounds = Object.keys(to.buckets).sort((a, b) => (a === "+Inf") - (b === "+Inf") || Number(a) - Number(b));
		const count = (bound) => to.buckets[bound] - (from.buckets[bound] || 0);
		const all = bounds.length === 0 ? 0 : count(bounds[bounds.length - 1]);
		let below = 0, low = 0;
		if (all <= 0)
			return null;
		for (const bound of bounds) {
			const here = count(bound);
			if (here >= share * all) {
				if (bound === "+Inf")
					return low;
				return low + (Number(bound) - low) * (share * all - below) / Math.max(here - below, 1e-9);
			}
			below = here;
			low = Number(bound);
		}
		return low;
	}

	function spellSeconds(seconds) {
		if (seconds === null)
			return "–";
		if (seconds < .001)
			return Math.round(seconds * 1e6) + " µs";
		return seconds < 1 ? (seconds * 1e3).toPrecision(3) + " ms" : seconds.toPrecision(3) + " s";
	}

	function spellRate(rate) {
		return rate === 0 ? "0" : rate < 10 ? rate.toFixed(1) : number.format(Math.round(rate));
	}

	function spellTime(seconds) {
		if (seconds < 90)
			return Math.ceil(seconds) + " s";
		return seconds < 5400 ? Math.round(seconds / 60) + " min" : (seconds / 3600).toFixed(1) + " h";
	}

	function showFigures(sample) {
		const last = samples[samples.length - 1];
		samples.push(sample);
		if (samples.length > SAMPLES + 1)
			samples.shift();
		const now = sums(sample);
		["pass", "fail", "error"].forEach((sort, i) => say(["admitted-total", "refused-total", "unknown-total"][i], number.format(now[sort]) + " in all"));
		const latest = quantile(samples[0], sample, .5);
		say("median", spellSeconds(latest));
		say("tail", latest === null ? "no decisions lately" : "99 % within " + spellSeconds(quantile(samples[0], sample, .99)));
		if (last === undefined)
			return;
		const before = sums(last), passed = (sample.when - last.when) / 1000;
		const rates = { pass: 0, fail: 0, error: 0 };
		// A daemon that started again counts from nothing.
		Object.keys(rates).forEach((sort) => { rates[sort] = Math.max(0, now[sort] - before[sort]) / passed; });
		sample.rates = rates;
		say("rate", spellRate(rates.pass + rates.fail + rates.error));
		say("admitted", spellRate(rates.pass));
		say("refused", spellRate(rates.fail));
		say("unknown", spellRate(rates.error));
		showChart();
		showPaths(sample, last, passed);
	}

	function showChart() {
		const chart = byId("chart"), known = samples.filter((one) => one.rates);
		const most = Math.max(1, ...known.map((one) => Math.max(one.rates.pass, one.rates.fail, one.rates.error)));
		chart.querySelectorAll("path").forEach((one) => one.remove());
		["pass", "fail", "error"].forEach((sort) => {
			const points = known.map((one, i) => (600 - (known.length - 1 - i) * 600 / SAMPLES).toFixed(1) + "," +
				(116 - one.rates[sort] * 108 / most).toFixed(1));
			const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
			path.setAttribute("class", sort);
			path.setAttribute("d", "M" + points.join(" L"));
			if (points.length > 1 && (sort !== "error" || known.some((one) => one.rates.error > 0)))
				chart.append(path);
		});
	}

	function showPaths(sample, last, passed) {
		const rows = Object.entries(sample.decisions).filter(([, value]) => value > 0).map(([key, value]) => {
			const [path, code] = key.split(" ");
			return make("tr", {}, make("td", {}, make("code", {}, path)), make("td", { class: sortOf(code) }, code),
				make("td", { class: "number" }, number.format(value)),
				make("td", { class: "number" }, spellRate(Math.max(0, value - (last.decisions[key] || 0)) / passed)));
		});
		byId("paths").tBodies[0].replaceChildren(...rows);
	}

	// ---- the policy ----

	function showDetail(node) {
		const lines = [make("p", {}, make("strong", {}, node.title), node.type === "" ? "" : " · " + node.type,
			node.remark === "" ? "" : " · " + node.remark)];
		if (node.description !== "" && node.section !== "applications")
			lines.push(make("p", {}, node.description));
		if (node.state !== "plain")
			lines.push(make("p", {}, node.state === "unasked" ? "was not asked" : node.state, node.reason ? ": " + node.reason : ""));
		if (node.file !== "")
			lines.push(make("p", { class: "place" }, node.file + ":" + node.line));
		byId("detail").replaceChildren(...lines);
	}

	function choose(node) {
		chosen = node.key;
		model.nodes.forEach((one) => {
			one.element.setAttribute("tabindex", one === node ? 0 : -1);
			one.element.setAttribute("aria-pressed", String(one === node));
		});
		model.edges.forEach((edge) => edge.path.classList.toggle("chosen", edge.from === node.key || edge.to === node.key));
		showDetail(node);
	}

	// One stop for Tab, however many boxes there are; arrows move between them.
	function drawPolicy() {
		const focused = document.activeElement && document.activeElement.closest("#graph");
		drawn = limenGraph.draw(byId("graph"), model, choose);
		const first = model.nodes.get(chosen) || (drawn.columns[0] || [])[0];
		if (first === undefined)
			return;
		first.element.setAttribute("tabindex", 0);
		if (focused)
			first.element.focus();
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
			: column.reduce((best, one) => Math.abs(one.y - from.y) < Math.abs(best.y - from.y) ? one : best);
		if (to !== undefined)
			to.element.focus();
	}

	function countOf(policy) {
		const size = (section) => Object.keys(policy[section] || {}).length;
		return [[size("identifiers"), "identifiers"], [size("classifiers"), "classifiers"],
			[(policy["application-list"] || []).length, "applications"], [size("limits"), "limits"],
			[size("admission"), "admission entries"]].filter(([count]) => count > 0)
			.map(([count, what]) => count + " " + (count === 1 ? what.replace(/ies$/, "y").replace(/s$/, "") : what)).join(", ");
	}

	function showPolicy(text) {
		const policy = JSON.parse(text);
		say("policy-text", policy.ready ? countOf(policy) + ". Loaded " + policy.loaded + " from " + Object.keys(policy.files || {}).join(", ")
			: "No policy is loaded: everything is admitted, or nothing can be told.");
		byId("policy-error").hidden = !policy.error;
		if (policy.error)
			say("policy-error", "The last load failed, and the policy before it stays in force: " + policy.error);
		// Counters of modules change all the time; boxes and lines do not.
		const shape = JSON.stringify(limenGraph.model(policy), (key, value) => value instanceof Map ? [...value] : value);
		if (shape === policyText)
			return;
		policyText = shape;
		model = limenGraph.model(policy);
		if (shownDecision !== null)
			limenGraph.mark(model, shownDecision);
		drawPolicy();
	}

	// ---- buckets, events ----

	function showBuckets(answer) {
		const table = byId("bucket-table");
		table.hidden = true;
		if (answer.status === 403) {
			say("buckets-note", "Buckets name people, so only those see them who are trusted: the unix socket, a client certificate, an address of --trust-hints-from.");
			return;
		}
		const found = JSON.parse(answer.text);
		if (answer.status !== 200) {
			say("buckets-note", found.message);
			return;
		}
		say("buckets-note", found.buckets.length === 0 ? "No rate has been charged." : found.warnings.join("; "));
		table.hidden = found.buckets.length === 0;
		table.tBodies[0].replaceChildren(...found.buckets.map((one) => {
			const used = Math.min(1, Math.max(0, 1 - one.left / Math.max(1, one.burst)));
			return make("tr", {}, make("td", {}, one.entry || one.table), make("td", {}, make("code", {}, one.key === "" ? "(all)" : one.shown)),
				make("td", {}, make("meter", { min: 0, max: 1, value: used, "aria-label": Math.round(used * 100) + " % used" })),
				make("td", { class: "number" }, number.format(one.left) + " of " + number.format(one.burst)), make("td", {}, one.rate || number.format(one.tokens) + " in " + one.period), make("td", {}, one.resets || ""));
		}));
	}

	function showEvents(state) {
		if (state.journal === null) {
			say("events-text", "Lines of the log are shown only to trusted clients.");
			return;
		}
		const key = state.journal.length + " " + (state.journal[0] || {}).time;
		if (byId("event-list").dataset.key === key)
			return;
		byId("event-list").dataset.key = key;
		byId("event-list").replaceChildren(...state.journal.map((one) => make("li", { class: one.level === "info" ? "" : one.level === "warning" ? "error" : "fail" },
			make("time", { datetime: one.time }, one.time.replace("T", " ").replace(/\..*/, "")), " " + one.level + " ",
			one.source === "" ? "" : one.source + ": ", one.text, one.times > 1 ? " (" + number.format(one.times) + " times)" : "")));
	}

	function showHealth(sort, text) {
		byId("health").className = sort;
		say("health-text", text);
	}

	// ---- the playground ----

	const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

	function makeQuestion() {
		const request = JSON.parse(byId("request").value);
		const hints = byId("hints").value.trim();
		let question = request;
		if (!isObject(request))
			throw new SyntaxError("a request is an object");
		if (!("task" in request) && !("object" in request) && !("oldObject" in request))
			question = "kind" in request && "apiVersion" in request ? { object: request } : { task: request };
		return hints === "" ? question : Object.assign({}, question, { hints: JSON.parse(hints) });
	}

	function boundText(one) {
		const verbs = { matching: "match", "not matching": "not match" };
		return one.field + " is " + (one.have === null ? "not given" : one.have) + ", must " + (verbs[one.relation] || "be " + one.relation) + " " + one.bound;
	}

	function traceItem(one, verdict, title) {
		const matches = one.kind === "identifier" || one.kind === "classifier";
		const words = matches ? { pass: "match", fail: "no match" } : {};
		const tint = verdict === "skip" || (matches && verdict === "fail") ? "hint" : verdict;
		const item = make("li", {}, title + ": ", make("span", { class: tint }, words[verdict] || verdict));
		if (one.file)
			item.append(" ", make("span", { class: "place" }, one.file + ":" + one.line));
		const more = [one.reason, ...(one.notes || []), ...(one.bounds || []).map(boundText)].filter(Boolean);
		if (more.length > 0)
			item.append(make("ul", {}, ...more.map((text) => make("li", { class: "hint" }, text))));
		return item;
	}

	const counted = (one) => !one.inverted ? one.verdict : { pass: "fail", fail: "pass" }[one.verdict] || one.verdict;
	const moduleItem = (one) => traceItem(one, counted(one), one.name + " (" + one.type + (one.phase ? ", " + one.phase : "") + ")" + (one.inverted ? ", inverted" : ""));

	function applicationItem(decision, app) {
		const item = traceItem(app, app.verdict, app.application + ". " + (app.name || "application") +
			(app.verdict === "skip" ? ", for others" : ""));
		const groups = decision.steps.filter((one) => one.kind === "group" && one.application === app.application).map((group) => {
			const made = traceItem(Object.assign({}, group, { file: null }), group.verdict, "group " + group.group + ", require " + group.require);
			made.append(make("ul", {}, ...decision.trace.filter((one) => one.application === app.application && one.group === group.group).map(moduleItem)));
			return made;
		});
		if (groups.length > 0)
			item.append(make("ul", {}, ...groups));
		return item;
	}

	function showTrace(decision) {
		const parts = [];
		const add = (title, items) => {
			if (items.length > 0)
				parts.push(make("h3", {}, title), make("ul", {}, ...items));
		};
		const ofKind = (kind) => (decision.trace || []).filter((one) => one.kind === kind && !one.application).map(moduleItem);
		const steps = decision.steps || [];
		if (decision.unexplained)
			parts.push(make("p", {}, "Application " + decision.unexplained.application + " may be nearer, but its limit '" + decision.unexplained.name + "' does not say what would pass."));
		if (decision.smallest_change)
			parts.push(make("div", { class: "change" }, make("strong", {}, "Suggested change"),
				make("ul", {}, ...decision.smallest_change.map((one) => make("li", {}, (one.field === undefined ? "wait " + spellTime(one.wait) : boundText(one)) + " (" + one.name + ")")))));
		add("Identifiers", ofKind("identifier"));
		add("Classifiers", steps.filter((one) => one.kind === "classifier").map((one) => traceItem(one, one.verdict, one.name + " (require " + one.require + ")")));
		add("Rewriter", ofKind("rewriter"));
		add("Admission", [...ofKind("admission"), ...steps.filter((one) => one.kind === "admission").map((one) => traceItem(one, one.verdict, one.name + " (" + one.phase + ")"))]);
		add("Applications", steps.filter((one) => one.kind === "application").map((one) => applicationItem(decision, one)));
		add("Prioritizer", ofKind("prioritizer"));
		if (decision.patch !== null && decision.patch.length > 0)
			parts.push(make("h3", {}, "What would be changed"), make("pre", {}, make("code", {}, JSON.stringify(decision.patch, null, 2))));
		byId("trace").replaceChildren(make("div", {}, ...parts));
	}

	function showVerdict(sort, text) {
		byId("verdict").className = sort;
		byId("verdict").textContent = text;
	}

	function showDecision(decision) {
		shownDecision = decision;
		byId("forget").hidden = decision === null;
		if (decision === null) {
			showVerdict("", "");
			byId("trace").replaceChildren();
			model.nodes.forEach((node) => { node.state = "plain"; node.reason = ""; });
			model.edges.forEach((edge) => { edge.state = "plain"; });
		} else {
			const word = decision.admitted ? "Admitted" : decision.code === 500 ? "Could not tell" : "Refused";
			showVerdict(decision.admitted ? "pass" : decision.code === 500 ? "error" : "fail", word + " (" + decision.code + "): " + decision.reason);
			showTrace(decision);
			limenGraph.mark(model, decision);
		}
		drawPolicy();
	}

	async function decide() {
		let question;
		try {
			question = makeQuestion();
		} catch (error) {
			showVerdict("error", "This is no request in JSON: " + error.message);
			return;
		}
		try {
			const answer = await fetch("ui/try", { method: "POST", headers: { "Content-Type": "application/json" }, credentials: "same-origin", body: JSON.stringify(question) });
			const found = await answer.json();
			if (answer.ok)
				showDecision(found);
			else
				showVerdict("error", found.message || "status " + answer.status);
		} catch (error) {
			showVerdict("error", "The daemon does not answer: " + error.message);
		}
	}

	// ---- again and again ----

	async function refresh() {
		try {
			const [state, metrics, policy, buckets] = await Promise.all([ask("ui/state"), ask("metrics"), ask("v1/policy"), ask("v1/buckets?number=10")]);
			const about = JSON.parse(state.text);
			say("version", about.version);
			byId("playground").hidden = byId("playground-link").hidden = !about.playground;
			const figures = readMetrics(metrics.text);
			figures.when = performance.now();
			showFigures(figures);
			if (policy.status === 200)
				showPolicy(policy.text);
			showBuckets(buckets);
			showEvents(about);
			if (about.journal !== null)
				say("events-text", number.format(figures.loads) + (figures.loads === 1 ? " load, " : " loads, ") + number.format(figures.failures) + " failed");
			if (about.draining)
				showHealth("odd", "Ending");
			else if (!byId("policy-error").hidden)
				showHealth("odd", "Serving an older policy");
			else
				showHealth("good", "Serving");
		} catch (error) {
			showHealth("bad", "No answer");
		}
		// Nobody looks at a page in the background.
		if (document.hidden)
			document.addEventListener("visibilitychange", refresh, { once: true });
		else
			setTimeout(refresh, EVERY);
	}

	byId("graph").addEventListener("keydown", move);
	byId("try").addEventListener("submit", (event) => { event.preventDefault(); decide(); });
	byId("try").addEventListener("keydown", (event) => {
		if (event.key === "Enter" && event.ctrlKey) {
			event.preventDefault();
			decide();
		}
	});
	byId("forget").addEventListener("click", () => showDecision(null));
	refresh();
})();
