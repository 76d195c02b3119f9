// SPDX-License-Identifier: Apache-2.0
// dom.js - makes elements and writes numbers, rates and times.  All texts become text nodes,
// whatever they contain.

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);
export const number = new Intl.NumberFormat("en");

function fill(element, attributes, children) {
	Object.entries(attributes || {}).forEach(([key, value]) => {
		if (typeof value === "function")
			element.addEventListener(key, value);
		else if (value !== undefined && value !== false)
			element.setAttribute(key, value === true ? "" : value);
	});
	element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
	return element;
}

// An attribute that is a function becomes a listener of the event of its name.
export const make = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
export const draw = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

// Screen readers announce what changes, so an equal text is not written again.
export function say(id, text) {
	if (byId(id).textContent !== text)
		byId(id).textContent = text;
}

// Replaces the children of 'parent' by 'wanted'.  Elements of both stay where they are, with the focus.
export function put(parent, wanted) {
	const kept = new Set(wanted);
	[...parent.children].filter((child) => !kept.has(child)).forEach((child) => child.remove());
	wanted.forEach((child, i) => {
		if (parent.children[i] !== child)
			parent.insertBefore(child, parent.children[i] || null);
	});
}

// A table of texts and elements; 'columns' are [title, class].
export function table(columns, rows, attributes) {
	const cell = (content, i) => make("td", { class: columns[i][1] }, content);
	return make("table", attributes, make("thead", {}, make("tr", {}, ...columns.map(([title, sort]) =>
		make("th", { scope: "col", class: sort }, title)))),
	make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map(cell)))));
}

export async function ask(path, body) {
	const more = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
	const answer = await fetch(path, Object.assign({ cache: "no-store", credentials: "same-origin" }, more));
	const text = await answer.text();
	let json = null;
	try {
		json = JSON.parse(text);
	} catch (error) {
		json = null;
	}
	return { status: answer.status, text, json };
}

// ---- numbers, rates and times ----

export function spellSeconds(seconds) {
	if (seconds === null || seconds === undefined)
		return "–";
	const [unit, word] = seconds < .001 ? [1e6, " µs"] : seconds < 1 ? [1e3, " ms"] : [1, " s"];
	return seconds === 0 ? "0" : Number((seconds * unit).toPrecision(seconds < .001 ? 2 : 3)) + word;
}

export const spellRate = (rate) => rate === 0 ? "0" : rate < .1 ? "<0.1" : rate < 10 ? rate.toFixed(1) : number.format(Math.round(rate));

export const count = (amount, word) => number.format(amount) + " " + (amount === 1 ? word : word.endsWith("y") ? word.slice(0, -1) + "ies" : word + "s");

export function spellTime(seconds) {
	if (seconds < 90)
		return Math.ceil(seconds) + " s";
	if (seconds < 5400)
		return Math.round(seconds / 60) + " min";
	return seconds < 129600 ? (seconds / 3600).toFixed(1) + " h" : Math.round(seconds / 86400) + " days";
}

export const age = (time) => spellTime(Math.max(0, (Date.now() - Date.parse(time)) / 1000)) + " ago";

export const clock = (time, seconds = true) => new Date(time).toLocaleTimeString("en-GB", seconds ? {} : { hour: "2-digit", minute: "2-digit" });

// A duration of ISO 8601 in seconds; years and months do not occur.
export function seconds(duration) {
	const parts = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(duration || "");
	return parts === null ? null : [604800, 86400, 3600, 60, 1].reduce((sum, unit, i) => sum + unit * Number(parts[i + 1] || 0), 0);
}

// The rate of a bucket in words: "5 a second, burst 20".
export function spellBucket(bucket) {
	const period = seconds(bucket.period), burst = bucket.burst > bucket.tokens ? ", burst " + number.format(bucket.burst) : "";
	const units = [[1, "a second"], [60, "a minute"], [3600, "an hour"], [86400, "a day"], [604800, "a week"]];
	const fits = units.find(([unit]) => period !== null && period <= unit && Number.isInteger(Math.round(1e6 * bucket.tokens * unit / period) / 1e6));
	if (!period)
		return number.format(bucket.tokens) + " in " + bucket.period + burst;
	return (fits ? number.format(Math.round(bucket.tokens * fits[0] / period)) + " " + fits[1]
		: number.format(bucket.tokens) + " in " + spellTime(period)) + burst;
}
