// SPDX-License-Identifier: Apache-2.0
// charts.js - lines over time in SVG, with axes, and the values at the pointer in the legend.
// The same numbers stand in a table below.
import { clock, draw, make, table } from "./dom.js";

const LEFT = 52, RIGHT = 12, TOP = 8, BOTTOM = 22, HEIGHT = 150;

// The next of 1, 2, 5, 10 and so on, so that the marks of the axis are round.
function ceiling(most) {
	const unit = 10 ** Math.floor(Math.log10(most));
	return unit * [1, 2, 5, 10].find((factor) => factor * unit >= most * (1 - 1e-9));
}

// A line has gaps where there is no value.
function path(values, x, y) {
	let before = null;
	return values.map((value, i) => {
		const step = value === null ? "" : (before === null ? "M" : "L") + x(i).toFixed(1) + "," + y(value).toFixed(1);
		before = value;
		return step;
	}).join("");
}

export class Chart {
	// 'spell' writes a value of the unit.
	constructor(figure, title, unit, spell) {
		Object.assign(this, { figure, title, unit, spell, at: null, data: null });
		this.svg = draw("svg", { role: "img", height: HEIGHT });
		this.legend = make("p", { class: "legend" });
		this.numbers = make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title + " in numbers" });
		this.details = make("details", { toggle: () => this.list() }, make("summary", {}, "Numbers"), this.numbers);
		figure.append(make("figcaption", {}, title, make("span", { class: "soft" }, " " + unit)), this.svg, this.legend, this.details);
		this.svg.addEventListener("pointermove", (event) => this.point(event.clientX - this.svg.getBoundingClientRect().left));
		this.svg.addEventListener("pointerleave", () => this.point(null));
		new ResizeObserver(() => this.draw()).observe(figure);
	}

	// 'lines' are { name, sort, values }, oldest first; the last value is of the time 'end'.
	show(lines, end, step) {
		this.data = { lines, end: Date.parse(end), step, length: Math.max(1, ...lines.map((line) => line.values.length)) };
		this.draw();
		this.list();
	}

	time(i) {
		return this.data.end - (this.data.length - 1 - i) * this.data.step * 1000;
	}

	point(x) {
		const width = this.svg.clientWidth - LEFT - RIGHT;
		if (this.data === null)
			return;
		this.at = x === null ? null : Math.max(0, Math.min(this.data.length - 1, Math.round((x - LEFT) / width * (this.data.length - 1))));
		this.draw();
	}

	draw() {
		const width = this.figure.clientWidth;
		if (this.data === null || width === 0)
			return;
		const { lines, length } = this.data;
		const most = ceiling(Math.max(1e-6, ...lines.flatMap((line) => line.values.map((value) => value || 0))));
		const x = (i) => LEFT + i * (width - LEFT - RIGHT) / Math.max(1, length - 1);
		const y = (value) => HEIGHT - BOTTOM - value * (HEIGHT - TOP - BOTTOM) / most;
		const marks = [0, .5, 1].map((share) => [draw("line", { x1: LEFT, x2: width - RIGHT, y1: y(share * most), y2: y(share * most), class: "grid" }),
			draw("text", { x: LEFT - 6, y: y(share * most) + 4, class: "left" }, this.spell(share * most))]).flat();
		this.svg.setAttribute("viewBox", "0 0 " + width + " " + HEIGHT);
		this.svg.setAttribute("aria-label", this.title + ", " + this.unit + ": " + this.words(length - 1).join(", "));
		this.svg.replaceChildren(...marks, ...this.times(width, x), ...lines.map((line) => draw("path", { class: line.sort, d: path(line.values, x, y) })),
			...(this.at === null ? [] : [draw("line", { x1: x(this.at), x2: x(this.at), y1: TOP, y2: HEIGHT - BOTTOM, class: "cursor" })]));
		this.explain();
	}

	// Marks of the time stand at full minutes, or parts of them, that have room.
	times(width, x) {
		const { length, step } = this.data;
		const every = [10, 30, 60, 300, 600, 900, 1800].find((span) => span / step * (x(1) - x(0)) >= 64) || 3600;
		const marks = [];
		for (let i = 0; i < length; i++) {
			const time = Math.floor(this.time(i) / 1000 / step) * step;
			if (time % every === 0)
				marks.push(draw("line", { x1: x(i), x2: x(i), y1: HEIGHT - BOTTOM, y2: HEIGHT - BOTTOM + 4, class: "axis" }),
					draw("text", { x: Math.min(Math.max(x(i), LEFT), width - 30), y: HEIGHT - 5 }, clock(time * 1000, step < 60)));
		}
		return marks;
	}

	words(i) {
		return this.data.lines.map((line) => line.name + " " + this.value(line, i));
	}

	value(line, i) {
		const value = line.values[i];
		return value === null || value === undefined ? "–" : this.spell(value);
	}

	explain() {
		const at = this.at === null ? this.data.length - 1 : this.at;
		this.legend.replaceChildren(make("time", {}, clock(this.time(at), this.data.step < 60)), ...this.data.lines.map((line) =>
			make("span", { class: "key" }, draw("svg", { width: 26, height: 8, "aria-hidden": "true" }, draw("path", { class: line.sort, d: "M1,4L25,4" })),
				" " + line.name + " ", make("b", {}, this.value(line, at)))));
	}

	list() {
		if (this.data === null || !this.details.open)
			return;
		const rows = Array.from({ length: this.data.length }, (unused, k) => this.data.length - 1 - k).map((i) =>
			[clock(this.time(i), this.data.step < 60), ...this.data.lines.map((line) => this.value(line, i))]);
		const known = this.data.lines.map((line) => [line.name, "number"]);
		this.numbers.replaceChildren(table([["Time"], ...known], rows));
	}
}
