// SPDX-License-Identifier: Apache-2.0
// app.js - the console: views with addresses, and the loop that asks the daemon that served the
// page again and again and shows its answers.
import { Chart } from "./charts.js";
import { age, ask, byId, count, make, number, say, seconds, spellBucket, spellRate, spellSeconds, spellTime } from "./dom.js";
import * as decisions from "./decisions.js";
import * as playground from "./playground.js";
import * as policy from "./policy.js";

const EVERY = 2000;
const VIEWS = ["now", "decisions", "policy", "buckets", "playground"];
const charts = {};
let view = "now", state = null, span = "seconds", policyText = "", loaded = null;

// ---- figures ----

// Prometheus' text: NAME{KEY="VALUE",...} NUMBER
function readMetrics(text) {
	const found = { decisions: {}, loads: 0, failures: 0 };
	const unquote = (value) => value.replace(/\\(.)/g, (all, c) => c === "n" ? "\n" : c);
	for (const line of text.split("\n")) {
		const parts = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line);
		if (parts === null)
			continue;
		const labels = {};
		for (const label of (parts[2] || "").matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g))
			labels[label[1]] = unquote(label[2]);
		if (parts[1] === "limend_decisions_total")
			found.decisions[labels.endpoint + " " + labels.code] = Number(parts[3]);
		else if (parts[1] === "limend_policy_loads_total")
			found.loads = Number(parts[3]);
		else if (parts[1] === "limend_policy_load_failures_total")
			found.failures = Number(parts[3]);
	}
	return found;
}

const sortOf = (code) => code === "200" ? "pass" : code === "500" || code === "503" || code === "other" ? "error" : "fail";

function showFigures(figures) {
	const sums = { pass: 0, fail: 0, error: 0 };
	Object.entries(figures.decisions).forEach(([key, value]) => { sums[sortOf(key.split(" ")[1])] += value; });
	say("admitted-total", number.format(sums.pass) + " in all");
	say("refused-total", number.format(sums.fail) + " in all");
	say("unknown-total", number.format(sums.error) + " in all");
	byId("paths").tBodies[0].replaceChildren(...Object.entries(figures.decisions).filter(([, value]) => value > 0).map(([key, value]) => {
		const [path, code] = key.split(" ");
		return make("tr", {}, make("td", {}, make("code", {}, path)), make("td", { class: sortOf(code) }, code), make("td", { class: "number" }, number.format(value)));
	}));
}

// ---- charts ----

// Decisions a second over the last ten seconds, without the second that is not over.
function showRates(history) {
	const mean = (values) => values.slice(-11, -1).reduce((sum, value) => sum + value, 0) / 10;
	const last = (values) => values.reduce((found, value) => value === null ? found : value, null);
	say("rate", spellRate(mean(history.admitted) + mean(history.refused) + mean(history.errors)));
	say("admitted", spellRate(mean(history.admitted)));
	say("refused", spellRate(mean(history.refused)));
	say("would", spellRate(mean(history.would)));
	say("unknown", spellRate(mean(history.errors)));
	say("median", spellSeconds(last(history.p50)));
	say("tail", last(history.p50) === null ? "no decision lately" : "99 % within " + spellSeconds(last(history.p99)));
}

function showCharts() {
	const history = state.history[span], rate = (values) => values.map((value) => value / history.step);
	charts.verdicts.show([{ name: "admitted", sort: "pass", values: rate(history.admitted) }, { name: "refused", sort: "fail", values: rate(history.refused) },
		{ name: "would be refused", sort: "would", values: rate(history.would) }, { name: "error", sort: "error", values: rate(history.errors) }], history.end, history.step);
	charts.latency.show([{ name: "half within", sort: "c0", values: history.p50 }, { name: "99 % within", sort: "c1 second", values: history.p99 }], history.end, history.step);
	const types = Object.entries(history.events).map(([type, events]) => [type.replaceAll("_", " "), events]);
	byId("chart-events").hidden = types.length === 0;
	charts.events.show(types.flatMap(([type, events], i) => [{ name: type + " granted", sort: "c" + i % 4, values: rate(events.granted) },
		{ name: type + " refused", sort: "second c" + i % 4, values: rate(events.refused) }]), history.end, history.step);
}

function chooseSpan(chosen) {
	span = chosen;
	["seconds", "minutes"].forEach((key) => byId("span-" + key).setAttribute("aria-pressed", String(key === span)));
	if (state !== null && state.history)
		showCharts();
}

// ---- buckets, log, head ----

function bucketRow(bucket) {
	const share = Math.min(1, Math.max(0, 1 - bucket.left / Math.max(1, bucket.burst))), percent = Math.round(share * 100) + " %";
	const sort = bucket.left <= 0 ? "fail" : share > .8 ? "error" : "pass";
	const resets = seconds(bucket.resets);
	return make("tr", {}, make("td", {}, bucket.entry || bucket.table), make("td", {}, make("code", {}, bucket.key === "" ? "(all)" : bucket.shown)),
		make("td", { class: "used " + sort }, make("meter", { class: sort, min: 0, max: 1, value: share, "aria-label": percent + " used" }), make("span", {}, bucket.left <= 0 ? "empty" : percent)),
		make("td", { class: "number" }, number.format(bucket.left) + " of " + number.format(bucket.burst)),
		make("td", { title: bucket.rate || undefined }, spellBucket(bucket)), make("td", {}, resets === null ? "" : spellTime(resets)),
		make("td", { class: "number" }, bucket.refused === undefined ? "" : number.format(bucket.refused)));
}

function showBuckets(answer) {
	byId("bucket-table").hidden = true;
	if (answer.status !== 200) {
		say("buckets-note", answer.status === 403 ? "Buckets name people, so only trusted clients see them: those of --ui-listen, the unix socket, a client certificate, an address of --trust-hints-from."
			: (answer.json || {}).message || "status " + answer.status);
		return;
	}
	const { buckets, warnings } = answer.json;
	say("buckets-note", buckets.length === 0 ? "No rate has been charged." : warnings.join("; "));
	byId("bucket-table").hidden = buckets.length === 0;
	byId("bucket-table").tBodies[0].replaceChildren(...buckets.map(bucketRow));
}

function showLog(figures) {
	if (state.journal === null) {
		say("events-text", "Only trusted clients see lines of the log.");
		return;
	}
	say("events-text", count(figures.loads, "load") + ", " + number.format(figures.failures) + " failed");
	const key = state.journal.length + " " + (state.journal[0] || {}).time;
	if (byId("event-list").dataset.key === key)
		return;
	byId("event-list").dataset.key = key;
	byId("event-list").replaceChildren(...state.journal.map((line) => make("li", { class: line.level === "info" ? "" : line.level === "warning" ? "error" : "fail" },
		make("time", { datetime: line.time }, line.time.replace("T", " ").replace(/\..*/, "")), " " + line.level + " ",
		line.source === "" ? "" : line.source + ": ", line.text, line.times > 1 ? " (" + number.format(line.times) + " times)" : "")));
}

function showHealth(sort, text) {
	byId("health").className = sort;
	say("health-text", text);
}

function showHead() {
	const files = loaded === null ? [] : Object.keys(loaded.files || {});
	say("version", state.version);
	say("replica", [state.replica.name, files.length > 1 ? files[0] + " and " + (files.length - 1) + " more" : files[0],
		loaded !== null && loaded.loaded ? "loaded " + age(loaded.loaded) : ""].filter(Boolean).join(" · "));
	byId("alone").hidden = !state.replica["in-cluster"];
	byId("playground-link").hidden = !state.playground;
	if (state.draining)
		showHealth("odd", "Ending");
	else if (loaded !== null && loaded.error)
		showHealth("odd", "Serving an older policy");
	else
		showHealth("good", "Serving");
}

function showPolicy(answer) {
	if (answer.status !== 200)
		return;
	loaded = answer.json;
	byId("policy-error").hidden = !loaded.error;
	if (loaded.error)
		say("policy-error", "The last load failed, and the policy before it stays in force: " + loaded.error);
	if (policy.show(loaded) || policyText !== loaded.loaded)
		playground.setPolicy(loaded);
	policyText = loaded.loaded;
}

// ---- again and again ----

async function refresh() {
	try {
		const [about, metrics, described, buckets] = await Promise.all([ask("ui/state"), ask("metrics"), ask("v1/policy"), ask("v1/buckets?number=50"),
			decisions.refresh()]);
		const figures = readMetrics(metrics.text);
		state = about.json;
		showPolicy(described);
		showHead();
		showFigures(figures);
		byId("history").hidden = !state.history;
		if (state.history) {
			showRates(state.history.seconds);
			showCharts();
		}
		showBuckets(buckets);
		showLog(figures);
	} catch (error) {
		showHealth("bad", "No answer");
	}
	// A page in the background asks nothing.
	if (document.hidden)
		document.addEventListener("visibilitychange", refresh, { once: true });
	else
		setTimeout(refresh, view === "decisions" ? EVERY / 2 : EVERY);
}

// ---- views ----

function showView() {
	const [name, ...rest] = location.hash.slice(1).split("/");
	view = VIEWS.includes(name) ? name : "now";
	VIEWS.forEach((key) => { byId(key).hidden = key !== view; });
	document.querySelectorAll("nav a").forEach((link) => {
		if (link.hash === "#" + view)
			link.setAttribute("aria-current", "page");
		else
			link.removeAttribute("aria-current");
	});
	document.title = "limen: " + byId(view + "-title").textContent;
	if (view === "policy")
		policy.redraw();
	if (view === "playground" && rest.length > 0)
		playground.openLink(rest.join("/"));
}

charts.verdicts = new Chart(byId("chart-verdicts"), "Decisions", "a second", spellRate);
charts.latency = new Chart(byId("chart-latency"), "Latency", "of a decision", spellSeconds);
charts.events = new Chart(byId("chart-events"), "Events by limit", "a second", spellRate);
["seconds", "minutes"].forEach((key) => byId("span-" + key).addEventListener("click", () => chooseSpan(key)));
policy.start();
playground.start();
decisions.start(playground.tryQuestion, (name) => {
	const entry = ["admission", "limits"].map((section) => ((loaded || {})[section] || {})[name]).find(Boolean);
	return entry === undefined ? "" : entry.file + ":" + entry.line;
});
addEventListener("hashchange", showView);
showView();
refresh();
