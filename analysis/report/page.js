"use strict";
(() => {
  const make = (tag, props, ...children) => {
    const e = Object.assign(document.createElement(tag), props);
    e.append(...children);
    return e;
  };
  const number = new Intl.NumberFormat("en");

  const enliven = () => {
  // Tables: a bar to filter and to turn pages, heads that sort.
  for (const grid of document.querySelectorAll(".grid:not([data-lively])")) {
    const table = grid.querySelector("table.sorts"), body = table.tBodies[0];
    const template = table.querySelector(":scope > template");
    grid.dataset.lively = 1;
    const all = [...body.rows, ...(template ? template.content.children : [])];
    if (all.length < 2) continue;
    const texts = all.map(row => row.textContent.toLowerCase());
    const keep = body.rows.length; // to a page
    let order = all.map((_, i) => i), words = [], page = 0;
    const count = make("output", {}), back = make("button", { type: "button", textContent: "Previous" }), next = make("button", { type: "button", textContent: "Next" });
    const show = () => {
      const fit = order.filter(i => words.every(w => texts[i].includes(w)));
      page = Math.max(0, Math.min(page, Math.ceil(fit.length / keep) - 1));
      body.replaceChildren(...fit.slice(page * keep, (page + 1) * keep).map(i => all[i]));
      const last = Math.min((page + 1) * keep, fit.length);
      count.textContent = (fit.length ? number.format(page * keep + 1) + " to " + number.format(last) + " of " : "") + number.format(fit.length) + (fit.length < all.length ? " rows that fit, of " + number.format(all.length) : " rows");
      back.hidden = next.hidden = fit.length <= keep;
      back.disabled = page === 0;
      next.disabled = last === fit.length;
    };
    back.onclick = () => { page--; show(); };
    next.onclick = () => { page++; show(); };
    const filter = make("input", { type: "search", placeholder: "words that rows have", spellcheck: false });
    filter.oninput = () => { words = filter.value.toLowerCase().split(/\s+/).filter(Boolean); page = 0; show(); };
    if (all.length > 5) grid.prepend(make("div", { className: "bar" }, make("label", {}, "Filter", filter), count, back, next));

    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, k) => {
      const button = make("button", { type: "button" }, ...head.childNodes);
      head.append(button);
      head.ariaSort = "none";
      button.onclick = () => {
        const to = { none: "ascending", ascending: "descending", descending: "none" }[head.ariaSort];
        for (const h of heads) h.ariaSort = "none";
        head.ariaSort = to;
        order = all.map((_, i) => i);
        if (to !== "none") {
          const up = to === "ascending" ? 1 : -1;
          const keys = all.map(row => row.cells[k].textContent.trim());
          const values = keys.map(t => t === "inf" ? Infinity : t === "-inf" ? -Infinity : parseFloat(t.replace("\u2212", "-").replace(/^[<>]/, "")));
          const numeric = values.every((v, i) => !isNaN(v) || keys[i] === "" || keys[i] === "-");
          order.sort((a, b) => {
            if (numeric && isNaN(values[a]) !== isNaN(values[b])) return isNaN(values[a]) ? 1 : -1;
            if (numeric && values[a] !== values[b] && !isNaN(values[a])) return values[a] < values[b] ? -up : up;
            return up * keys[a].localeCompare(keys[b], "en") || a - b;
          });
        }
        page = 0;
        show();
      };
    });
    show();
  }

  // Figures: the point that is nearest to the pointer, or chosen with the keys, and the instances behind it.
  const replay = JSON.parse(document.getElementById("replay").textContent);
  const reach = 28; // pixels
  if (!document.querySelector(".pointing")) document.querySelector("figure:has(script)")?.before(make("p", { className: "remark pointing", textContent: "Hover over a point, or use the arrow keys, to see its values, its instances and the command that re-runs one. A click keeps the point. Escape releases it." }));
  for (const figure of document.querySelectorAll("figure:not([data-lively])")) {
    figure.dataset.lively = 1;
    const data = figure.querySelector("script");
    if (!data) continue;
    const points = JSON.parse(data.textContent);
    const sheet = figure.querySelector(".sheet"), title = sheet.querySelector("title").textContent;
    const narrow = sheet.querySelector("svg + svg"), drawn = () => narrow && getComputedStyle(narrow).display !== "none" ? 1 : 0;
    const ring = make("i", { className: "ring", hidden: true });
    const spots = make("div", { className: "spots", tabIndex: 0, role: "slider" });
    const said = make("p");
    const instance = make("select", { ariaLabel: "Instance" }), command = make("code"), copy = make("button", { type: "button", textContent: "Copy" });
    const look = make("a", { textContent: "Look inside", hidden: !document.body.dataset.inside });
    const behind = make("a", { textContent: "All instances behind it", hidden: !figure.dataset.behind });
    const line = make("div", {}, instance, command, copy, " ", look, " ", behind);
    const tip = make("div", { className: "tip", hidden: true }, said, line);
    spots.setAttribute("aria-label", "Points of " + title);
    spots.setAttribute("aria-valuemin", 1);
    spots.setAttribute("aria-valuemax", points.length);
    let at = -1, held = false;
    const choose = () => {
      look.href = document.body.dataset.inside + points[at].IDs[instance.selectedIndex][1];
      behind.href = figure.dataset.behind + points[at].IDs[instance.selectedIndex][1];
      command.textContent = replay + " " + points[at].IDs[instance.selectedIndex][1]; copy.textContent = "Copy"; };
    const mark = () => { if (at >= 0) [ring.style.left, ring.style.top] = points[at].At[drawn()].map(share => 100 * share + "%"); };
    addEventListener("resize", mark);
    const select = (i) => {
      if (i === at || !points[i]) return;
      const p = points[at = i];
      ring.hidden = false;
      tip.hidden = false;
      mark();
      said.textContent = p.Text;
      line.hidden = !p.IDs;
      instance.replaceChildren(...(p.IDs || []).map(([text]) => make("option", { textContent: text })));
      instance.hidden = p.IDs?.length === 1;
      if (p.IDs) { instance.selectedIndex = p.IDs.length > 2 ? 1 : 0; choose(); }
      spots.setAttribute("aria-valuenow", i + 1);
      spots.setAttribute("aria-valuetext", p.Text);
    };
    const nearest = (event) => {
      const box = spots.getBoundingClientRect(), which = drawn();
      let best = -1, least = reach * reach;
      points.forEach((p, i) => {
        const [x, y] = p.At[which], dx = box.left + x * box.width - event.clientX, dy = box.top + y * box.height - event.clientY;
        if (dx * dx + dy * dy < least) [best, least] = [i, dx * dx + dy * dy];
      });
      return best;
    };
    spots.setAttribute("aria-valuenow", 1);
    spots.setAttribute("aria-valuetext", points[0].Text);
    spots.onpointermove = (event) => { if (!held) select(nearest(event)); };
    spots.onclick = (event) => { const i = nearest(event); held = i >= 0; select(i); };
    spots.onfocus = () => { if (at < 0 && spots.matches(":focus-visible")) select(0); };
    spots.onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity }[event.key];
      if (event.key === "Escape") held = false;
      if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      held = true;
      select(Math.max(0, Math.min(points.length - 1, at + step)));
    };
    instance.onchange = choose;
    copy.onclick = () => {
      getSelection().selectAllChildren(command);
      copy.textContent = document.execCommand("copy") ? "Copied" : "Selected";
    };
    sheet.append(spots, ring);
    sheet.parentElement.after(tip);
  }
  };
  addEventListener("enliven", enliven); // elements added since
  enliven();
})();
