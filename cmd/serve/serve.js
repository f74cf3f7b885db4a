"use strict";
document.addEventListener("htmx:after:swap", () => dispatchEvent(new Event("enliven")));
// Gantt charts are drawn for the screen.
(function fit() {
  const is = matchMedia("(max-width: 44rem)").matches ? "narrow" : "wide", to = document.querySelector(`[data-${is}]`);
  if (to) location.replace(to.dataset[is]);
  addEventListener("enliven", fit);
})();
// Dragging a schedule pans and the wheel zooms, by the fields of the form.
(() => {
  let drag = null, view = null, timer;
  const find = (event) => {
    const figure = event.target.closest?.("figure[data-from]"), svg = figure?.querySelector("svg");
    if (!svg) return null;
    const most = svg.getBoundingClientRect().width * .99, boxes = [...svg.querySelectorAll("path, rect")].map(e => e.getBoundingClientRect());
    const plot = boxes.filter(b => b.width < most).reduce((a, b) => b.width > a.width ? b : a); // as wide as the time axis
    return { svg, plot, x: event.clientX, from: +figure.dataset.from, to: +figure.dataset.to };
  };
  const show = (from, length) => {
    const form = document.querySelector("#schedule-head ~ form");
    from = Math.max(0, from);
    Object.entries({ from, to: from + length, at: "" }).forEach(([name, value]) => { form.elements[name].value = value; });
    form.dispatchEvent(new Event("change", { bubbles: true }));
  };
  addEventListener("pointerdown", (event) => { drag = event.button ? null : find(event); });
  addEventListener("pointermove", (event) => { if (drag) drag.svg.style.transform = `translateX(${event.clientX - drag.x}px)`; });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, (event) => {
    if (!drag) return;
    const { svg, plot, x, from, to } = drag, by = x - event.clientX;
    svg.style.transform = "";
    drag = null;
    if (end === "pointerup" && Math.abs(by) > 3) show(from + by / plot.width * (to - from), to - from);
  });
  addEventListener("wheel", (event) => {
    const at = event.ctrlKey ? null : find(event);
    if (!at || !event.deltaY) return;
    event.preventDefault();
    view ||= [at.from, at.to];
    const by = event.deltaY < 0 ? .8 : 1.25, middle = view[0] + (event.clientX - at.plot.left) / at.plot.width * (view[1] - view[0]);
    view = view.map(end => middle + (end - middle) * by);
    clearTimeout(timer);
    timer = setTimeout(() => { const [from, to] = view; view = null; show(from, to - from); }, 150);
  }, { passive: false });
})();
// Parallel coordinates: a button over each axis chooses values of the form's filter, by dragging and by keys.
(() => {
  let focused = "";
  const brush = () => {
    document.querySelectorAll(".brush").forEach(b => b.remove());
    const form = document.querySelector("form.choose"), figure = document.querySelector("figure[data-brush]"), data = figure?.querySelector("script");
    if (!data) return;
    const sheet = figure.querySelector(".sheet"), narrow = sheet.querySelector("svg + svg");
    const which = narrow && getComputedStyle(narrow).display !== "none" ? 1 : 0, axes = new Map();
    for (const p of JSON.parse(data.textContent).filter(p => p.Level)) {
      const key = p.At[which][0] + " " + p.Level[0];
      axes.set(key, [...(axes.get(key) || []), { name: p.Level[0], value: p.Level[1], left: p.At[which][0], top: p.At[which][1] }]);
    }
    for (const levels of axes.values()) {
      levels.sort((a, b) => b.top - a.top); // from below
      const { name, left } = levels[0], last = levels.length - 1, top = levels[last].top - .02, height = levels[0].top + .02 - top;
      const boxes = [...form.elements].filter(b => b.name === "where." + name).flatMap(b => b.options ? [...b.options] : [b]), is = b => "selected" in b ? "selected" : "checked";
      const [from, to] = ["from.", "to."].map(end => form.elements[end + name]);
      const means = from || boxes.length ? null : form.elements.means, ends = means?.value.match(/[-+.\de]+/g);
      const chosen = levels.flatMap((l, i) => (means ? !ends || +l.value >= ends[0] && +l.value <= ends[1] : from ? (from.value === "" || +l.value >= +from.value) && (to.value === "" || +l.value <= +to.value) : boxes.some(b => b[is(b)] && b.value === l.value)) ? [i] : []);
      const [low, high] = chosen.length ? [chosen[0], chosen.at(-1)] : [0, last];
      const button = document.createElement("button"), range = button.appendChild(document.createElement("i"));
      const show = (upper, lower) => { range.style.top = 100 * (upper - top) / height + "%"; range.style.bottom = 100 - 100 * (lower - top) / height + "%"; };
      const choose = (a, b) => {
        if (means && a === b) [a, b] = [Math.max(0, a - 1), Math.min(last, b + 1)];
        const all = a === 0 && b === last, values = levels.slice(a, b + 1).map(l => l.value);
        if (from) [from.value, to.value] = all ? ["", ""] : [values[0], values.at(-1)];
        if (means) means.value = all ? "" : `[${values[0]}, ${values.at(-1)}]`;
        for (const b of boxes) b[is(b)] = !all && values.includes(b.value);
        focused = name;
        form.dispatchEvent(new Event("change", { bubbles: true }));
      };
      Object.assign(button, { type: "button", className: "brush", ariaLabel: "Filter by " + name + ", now " + levels[low].value + " to " + levels[high].value });
      button.dataset.axis = name;
      Object.assign(button.style, { left: 100 * left + "%", top: 100 * top + "%", height: 100 * height + "%" });
      if (high - low < last) show(levels[high].top - .01, levels[low].top + .01);
      let began = null;
      const at = (event) => { const box = sheet.getBoundingClientRect(); return (event.clientY - box.top) / box.height; };
      button.onpointerdown = (event) => { began = at(event); button.setPointerCapture(event.pointerId); };
      button.onpointermove = (event) => { if (began !== null) show(Math.min(began, at(event)), Math.max(began, at(event))); };
      button.onpointerup = (event) => {
        const ends = [began, at(event)].sort((a, b) => a - b), within = levels.flatMap((l, i) => l.top >= ends[0] && l.top <= ends[1] ? [i] : []);
        began = null;
        if (within.length) choose(within[0], within.at(-1)); else choose(0, last);
      };
      button.onkeydown = (event) => {
        const next = { ArrowUp: event.shiftKey ? [low, high + 1] : [low + 1, high], ArrowDown: event.shiftKey ? [low - 1, high] : [low, high - 1], Enter: [0, last], Escape: [0, last] }[event.key];
        if (!next || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        const [a, b] = [Math.max(0, next[0]), Math.min(last, next[1])];
        if (a <= b && (a !== low || b !== high)) choose(a, b);
      };
      sheet.append(button);
      if (name === focused) { button.focus(); focused = ""; }
    }
  };
  addEventListener("enliven", brush);
  addEventListener("resize", brush);
  brush();
})();
