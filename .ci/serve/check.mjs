// Watches a sweep on the pages of schedsweep serve: check.mjs FOLDER, which holds the program and study.yaml. Every fault is a
// line; any makes the exit code 1.
import { createRequire } from "node:module";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const require = createRequire(join(process.env.MODULES, "node_modules/"));
const puppeteer = require("puppeteer-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const folder = process.argv[2], program = join(folder, "schedsweep"), rows = join(folder, "run");
const study = ["study.yaml", "--out", rows];

let faults = 0, checks = 0;
const expect = (holds, what) => {
  checks++;
  if (!holds) {
    faults++;
    console.log("FAULT: " + what);
  }
};
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const call = (...args) => execFileSync(program, args, { cwd: folder, maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] }).toString();
const shard = (k) => {
  const p = spawn(program, ["run", ...study, "--shard", `${k}/2`, "--quiet", "--workers", "1"], { cwd: folder, stdio: "ignore" });
  return Object.assign(p, { ended: new Promise((done) => p.on("exit", done)) });
};
const parts = (of = "part-") => existsSync(join(rows, "instances")) ? readdirSync(join(rows, "instances")).filter((n) => n.endsWith(".parquet") && n.startsWith(of)).length : 0;

const server = spawn(program, ["serve", ...study], { cwd: folder });
const base = await new Promise((done) => server.stdout.once("data", (b) => done(b.toString().trim().replace("?token=", "") + "/0/")));
const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });

const opened = async (path, { width = 1280, scheme = "light", script = true, at = base } = {}) => {
  const page = await browser.newPage();
  page.wrong = [];
  page.on("console", (m) => page.wrong.push(m.type() + ": " + m.text()));
  page.on("pageerror", (e) => page.wrong.push("error: " + e.message));
  page.on("dialog", (d) => { page.wrong.push("dialog: " + d.message()); d.dismiss(); });
  page.on("request", (r) => { if (!r.url().startsWith(at) && !r.url().startsWith("data:")) page.wrong.push("request: " + r.url().slice(0, 100)); });
  await page.setJavaScriptEnabled(script);
  await page.setViewport({ width, height: width < 500 ? 844 : 800 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(at + path);
  if (script && width < 500) await page.waitForFunction(() => !document.querySelector("[data-narrow]")); // it is drawn for the screen
  return page;
};
const done = (page) => page.$eval("progress", (e) => e.value);
const until = async (what, ms, holds) => {
  const began = Date.now();
  while (!await holds()) {
    if (Date.now() - began > ms) {
      expect(false, what);
      return Infinity;
    }
    await sleep(50);
  }
  checks++;
  return Date.now() - began;
};

// watch follows the sweep from empty to finished, on a page that is never loaded again.
const watch = async () => {
  const page = await opened("live");
  expect(await done(page) === 0, "the empty sweep has " + await done(page));
  const one = shard(1), two = shard(2);
  const first = setInterval(() => { // the second shard stops at its first part, however slow the page is
    if (parts("part-1-of-2") > 0) clearInterval(first), two.kill("SIGSTOP");
  }, 20);
  await until("no part file in a minute", 60_000, () => parts() > 0);
  const late = await until("a new part file is not on the page within 2 s", 2_000, async () => await done(page) > 0);
  await until("the second shard wrote nothing in a minute", 60_000, () => parts("part-1-of-2") > 0);
  two.kill("SIGKILL");
  await two.ended;
  const torn = join(rows, "instances", "part-1-of-2-a000099-x-000000.parquet");
  writeFileSync(torn, "PAR1");
  await until("a torn part is not reported", 3_000, () => page.$$eval(".wrong", (all) => all.some((e) => e.textContent.includes("truncated"))));
  execFileSync("rm", [torn]);
  await until("the killed shard is not silent on the page", 90_000, () => page.$$eval("td", (all) => all.some((e) => e.textContent.startsWith("silent for"))));
  await one.ended;
  const half = await done(page);
  expect(half > 0 && half < 2000, "with one shard killed the page has " + half);
  renameSync(rows, rows + "-away");
  await until("a moved folder is not reported", 3_000, () => page.$$eval(".wrong", (all) => all.some((e) => e.textContent.includes("not there any more"))));
  renameSync(rows + "-away", rows);
  await until("the folder is back", 3_000, async () => (await page.$$(".wrong")).length === 0);
  await shard(2).ended;
  await until("the end is not on the page", 3_000, async () => await done(page) === 2000);
  const status = JSON.parse(call("status", ...study, "--json"));
  const cards = Object.fromEntries(await page.$$eval(".cards li", (all) => all.map((e) => [e.querySelector(".name").textContent, e.querySelector("b").textContent])));
  expect(cards.ok === String(status.outcomes.ok) && cards.failed === String(status.outcomes.failed), `the page counts ${JSON.stringify(cards)}, status ${JSON.stringify(status.outcomes)}`);
  expect((await page.$$eval(".failures li b", (all) => all.reduce((n, e) => n + Number(e.textContent), 0))) === status.outcomes.failed, "the causes do not add up");
  expect(page.wrong.length === 0, "live: " + page.wrong.join("; "));
  await page.close();
  return late;
};

// numbers holds what the pages say against what analyze writes.
const numbers = async () => {
  call("analyze", ...study, "--quiet");
  const page = await opened("explore");
  const get = (path) => page.evaluate(async (p) => (await fetch(p)).text(), path);
  expect(await get(await page.$eval('a[download][href^="explore.svg"]', (e) => e.getAttribute("href"))) === readFileSync(join(rows, "analysis/figures/wait.svg"), "utf8"), "the first view is not the manifest's first figure");
  const csv = (text) => { const [head, ...lines] = text.trim().split("\n").map((l) => l.split(",")); return lines.map((l) => Object.fromEntries(l.map((v, i) => [head[i], v]))); };
  const means = csv(await get("explore.csv?x=workload.offered_load&y=utilisation&series=policy&panels=platform.processors")).filter((r) => r.kind === "mean").map((r) => r.y).sort();
  const want = csv(readFileSync(join(rows, "analysis/statistics.csv"), "utf8")).filter((r) => r.metric === "utilisation" && r.mean).map((r) => r.mean).sort();
  expect(means.length > 20 && means.join() === want.join(), `the page has ${means.length} means, statistics.csv ${want.length}, and they differ`);

  const intervals = csv(await get("explore.csv?x=workload.offered_load&y=utilisation&series=policy&panels=platform.processors&band=true")).filter((r) => r.low).map((r) => r.low + " " + r.high).sort();
  const stored = csv(readFileSync(join(rows, "analysis/statistics.csv"), "utf8")).filter((r) => r.metric === "utilisation" && r.mean);
  const bounds = stored.map((r) => r.mean_low + " " + r.mean_high).sort();
  expect(intervals.length > 20 && intervals.join() === bounds.join(), `the page has ${intervals.length} intervals, statistics.csv ${bounds.length}, and they differ: ${intervals[0]} and ${bounds[0]}`);
  const results = await opened("results");
  const cells = await results.evaluate(() => {
    const table = [...document.querySelectorAll("table")].find((t) => [...t.tHead.rows[0].cells].some((c) => c.textContent === "2.5%"));
    const heads = [...table.tHead.rows[0].cells].map((c) => c.textContent), more = table.querySelector("template");
    return [...table.tBodies[0].rows, ...(more ? more.content.querySelectorAll("tr") : [])].map((r) => Object.fromEntries([...r.cells].map((c, i) => [heads[i], c.textContent.trim()])));
  });
  const shown = cells.filter((r) => r.metric === "utilisation" && r.mean && r.mean !== "-");
  const near = (text, value) => Math.abs(Number(text.replaceAll(",", "")) - value) <= 0.5001 * 10 ** -(text.split(".")[1] ?? "").length;
  expect(shown.length === stored.length, `results has ${shown.length} rows of utilisation, statistics.csv ${stored.length}`);
  const off = shown.filter((r, i) => !near(r.mean, stored[i].mean) || !near(r["2.5%"], stored[i].mean_low) || !near(r["97.5%"], stored[i].mean_high));
  expect(off.length === 0, `${off.length} rows of results are not those of statistics.csv: ${JSON.stringify(off[0])}`);
  await results.close();

  // From the keyboard alone: another metric, then the copy of the view.
  await page.focus('select[name="y"]');
  const before = page.url();
  await page.keyboard.type("utilisation");
  await page.waitForFunction((was) => location.href !== was && !document.querySelector(".htmx-request"), {}, before);
  expect(await page.evaluate(() => document.activeElement.name) === "y", "the focus is lost with a change of the view");
  expect(page.url().includes("y=utilisation"), "the address of the view is " + page.url());
  const copied = await page.$eval("#view pre", (e) => e.textContent), svg = await get(await page.$eval('a[download][href^="explore.svg"]', (e) => e.getAttribute("href")));
  const [head, rest] = readFileSync(join(folder, "study.yaml"), "utf8").split("analysis:\n");
  writeFileSync(join(folder, "copied.yaml"), head + copied + "claims:" + rest.split("claims:")[1]);
  call("analyze", "copied.yaml", "--out", rows, "--to", join(folder, "copied"), "--quiet");
  expect(readFileSync(join(folder, "copied/figures/view.svg"), "utf8") === svg, "the copied figure is another");
  await page.goBack();
  await page.waitForFunction(() => document.querySelector('select[name="y"]')?.value === "mean_wait_time");
  checks++;
  expect(page.wrong.length === 0, "explore: " + page.wrong.join("; "));
  await page.close();
};

// brushed holds that axes of parallel coordinates choose values of the filter, from the keyboard and by dragging.
const brushed = async () => {
  const page = await opened("explore?kind=parallel&x=utilisation");
  const settled = async (act) => {
    const before = page.url();
    await act();
    await page.waitForFunction((was) => location.href !== was && !document.querySelector(".htmx-request"), {}, before);
    return new URL(page.url()).searchParams;
  };
  expect((await page.$$(".brush")).length === 4, "not each of three axes and the metric can be brushed");
  await page.focus('.brush[data-axis="platform.processors"]');
  let q = await settled(() => page.keyboard.press("ArrowUp"));
  expect(q.getAll("where.platform.processors").length === 3, "one key does not leave three of four values: " + q);
  expect(await page.evaluate(() => document.activeElement.dataset.axis) === "platform.processors", "the focus leaves the axis");
  expect((await page.$eval("#view svg", (e) => e.outerHTML)).includes("grey: not selected"), "the drawing has nothing that is not selected");
  q = await settled(() => page.keyboard.press("Enter"));
  expect(q.getAll("where.platform.processors").length === 0, "Enter does not clear the filter: " + q);
  await page.focus('.brush[data-axis="utilisation"]');
  const listed = await page.$eval("#instances-head ~ * caption", (e) => e.textContent);
  q = await settled(() => page.keyboard.press("ArrowUp"));
  expect(/^\[[0-9.]+, [0-9.]+\]$/.test(q.get("means")), "one key on the metric does not select by means: " + q);
  expect(await page.$eval("#instances-head ~ * caption", (e) => e.textContent) !== listed, "the table does not follow the means");
  q = await settled(() => page.keyboard.press("Enter"));
  expect(!q.get("means"), "Enter does not clear the means: " + q);
  await page.$eval(".brush", (e) => e.scrollIntoView({ block: "center" }));
  const box = await (await page.$('.brush[data-axis="workload.offered_load"]')).boundingBox();
  await page.mouse.move(box.x + 12, box.y + box.height - 1);
  await page.mouse.down();
  await page.mouse.move(box.x + 12, box.y + box.height / 2 + 8, { steps: 4 });
  q = await settled(() => page.mouse.up());
  expect(q.getAll("where.workload.offered_load").join() === "0.4,0.5", "dragging over the lower half chooses " + q.getAll("where.workload.offered_load"));
  const cut = await page.$$eval("#view svg", (all) => all.flatMap((svg) => {
    svg.setAttribute("font-family", "monospace"); // wider letters than the server measures
    return [...svg.querySelectorAll("text:not([transform])")].filter((t) => t.getBBox().x < -1 || t.getBBox().x + t.getBBox().width > svg.viewBox.baseVal.width + 1);
  }).map((t) => t.textContent));
  expect(cut.length === 0, "with wider letters texts are cut: " + cut.join("; "));
  expect(page.wrong.length === 0, "brushing: " + page.wrong.join("; "));
  await page.close();
};

// moved holds that a schedule pans by dragging and zooms by the wheel about the pointer, and that the fields and links do the same.
const moved = async () => {
  const page = await opened("instance?id=800&run=true&from=100000&to=300000");
  const settled = async (act) => {
    const before = page.url();
    await act();
    await page.waitForFunction((was) => location.href !== was && !document.querySelector(".htmx-request"), {}, before);
    const q = new URL(page.url()).searchParams;
    return ["from", "to"].map((end) => Number(q.get(end)));
  };
  const plot = await page.$eval("figure[data-from] svg", (svg) => {
    svg.scrollIntoView({ block: "center" });
    const all = [...svg.querySelectorAll("path, rect")].map((e) => e.getBoundingClientRect()), most = svg.getBoundingClientRect().width * .99;
    const { left, width, top } = all.filter((b) => b.width < most).reduce((a, b) => (b.width > a.width ? b : a));
    return { left, width, top };
  });
  const middle = plot.left + plot.width / 2, y = plot.top + 20;
  let [from, to] = await settled(async () => {
    await page.mouse.move(middle, y);
    await page.mouse.down();
    await page.mouse.move(middle - plot.width / 4, y, { steps: 4 });
    await page.mouse.up();
  });
  expect(Math.abs(from - 150000) < 1000 && Math.abs(to - 350000) < 1000, `dragging by a quarter leads to ${from} to ${to}`);
  [from, to] = await settled(async () => { await page.mouse.move(middle, y); await page.mouse.wheel({ deltaY: -100 }); });
  expect(Math.abs(from - 170000) < 2000 && Math.abs(to - 330000) < 2000, `one turn of the wheel leads to ${from} to ${to}`);
  await page.focus('input[name="at"]');
  await settled(async () => { await page.keyboard.type("500000"); await page.keyboard.press("Enter"); });
  const part = await page.$eval("figure[data-from]", (f) => [Number(f.dataset.from), Number(f.dataset.to)]);
  expect(Math.abs(part[0] + part[1] - 1000000) < 10 && Math.abs(part[1] - part[0] - (to - from)) < 10, `the field for a time leads to ${part}`);
  await page.focus('input[name="from"]');
  await settled(async () => { await page.keyboard.type("1"); await page.keyboard.press("Tab"); });
  await page.keyboard.type("400000");
  const typed = await page.evaluate(() => document.activeElement.name + " " + document.activeElement.value);
  expect(typed === "to 400000", "beside a change of the page, the keyboard writes to " + typed);
  expect(page.wrong.length === 0, "moving: " + page.wrong.join("; "));
  await page.close();
};

// reached checks that the tabulator reaches everything that can be used.
const reached = async (page, name) => {
  const missed = await page.evaluate(() => {
    window.wanted = new Set([...document.querySelectorAll("a[href], button, select, input, summary, [tabindex='0']")].filter((e) => e.checkVisibility() && !e.disabled && e.type !== "hidden"));
    document.activeElement.blur();
    return window.wanted.size;
  });
  for (let i = 0; i < missed + 5; i++) {
    await page.keyboard.press("Tab");
    await page.evaluate(() => window.wanted.delete(document.activeElement));
  }
  const left = await page.evaluate(() => [...window.wanted].map((e) => e.outerHTML.slice(0, 80)));
  expect(missed > 2 && left.length === 0, `${name}: the keyboard does not reach ${left.join("; ")}`);
};

// look holds each page to axe and to its width, in light and dark, and the keyboard to all of it.
const look = async (pages, at) => {
  for (const path of pages) {
    for (const width of [1280, 390]) {
      for (const scheme of ["light", "dark"]) {
        const where = `${path}, ${width} px, ${scheme}`, page = await opened(path, { width, scheme, at });
        for (const d of await page.$$("details")) await d.evaluate((e) => { e.open = true; });
        const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        expect(over <= 0, `${where}: the page is wider than the screen by ${over} px`);
        const cut = await page.$$eval(".plot", (all) => all.filter((p) => p.scrollWidth > p.clientWidth).length);
        expect(cut === 0 || !path.startsWith("instance"), `${where}: ${cut} schedules are cut`);
        await page.evaluate(axe);
        for (const v of (await page.evaluate(() => axe.run())).violations) expect(false, `${where}: axe: ${v.id}: ${v.nodes[0].html.slice(0, 120)}`);
        checks++;
        const wrong = page.wrong.filter((w) => !w.includes("status of 422"));
        expect(wrong.length === 0, `${where}: ${wrong.join("; ")}`);
        if (width === 1280 && scheme === "light") await reached(page, path);
        await page.close();
      }
    }
  }
};

// several is a server of two folders of the sweep, and of one with questions.
const several = async () => {
  execFileSync("cp", ["-r", rows, rows + "-before"]);
  writeFileSync(join(folder, "finds.yaml"), "name: finds\nreplications: 2\nworkload: {kind: poisson, jobs: 200}\nplatform: {processors: 128}\npolicy: {kind: fcfs}\n" +
    "axes: {policy.kind: [fcfs, easy]}\nmetrics: [mean_wait_time]\nfind:\n  - {id: order, best: {metric: mean_wait_time, among: policy.kind}, margin: 5 %}\n");
  call("run", "finds.yaml", "--out", join(folder, "finds"), "--quiet");
  const other = spawn(program, ["serve", rows, rows + "-before", join(folder, "finds")], { cwd: folder });
  try {
    const at = await new Promise((done) => other.stdout.once("data", (b) => done(b.toString().trim().replace("?token=", "") + "/")));
    await look(["", "0/compare", "0/compare?margin=2%25&strict=true&allow-failures=true", "2/live"], at);
    const page = await opened("2/live", { at });
    expect((await page.$("#questions-head")) !== null, "the folder with questions shows none");
    await page.goto(at + "0/compare");
    expect((await page.$$(".wrong")).length === 0 && (await page.$$(".overview table, .said")).length > 0, "the page Compare compares nothing");
    await page.close();
  } finally {
    other.kill("SIGINT");
  }
};

const looks = async () => {
  const pages = ["live", "explore", "explore?x=nothing&y=utilisation", "explore?kind=parallel&x=utilisation&where.platform.processors=128", "results", "compare", "instance?id=0", "instance?id=800&run=true&against=1000&job=500&from=0&to=200000", "jobs?id=800&run=true&sort=wait&descending=true"];
  await look(pages, base);
  const plain = await opened("explore", { script: false });
  expect((await plain.$eval("body", (e) => e.innerText)).includes("workload.offered_load") && await plain.$("svg") !== null, "without JavaScript there is no figure");
  await plain.close();

  // The checks find each fault.
  const broken = await opened("live");
  await broken.evaluate(() => {
    document.querySelector("main").insertAdjacentHTML("afterbegin", '<img src="x.png"><i id="i" onclick=alert(1)></i>');
    document.getElementById("i").click();
  });
  await sleep(200);
  expect(broken.wrong.join().includes("img-src") && broken.wrong.join().includes("script") && !broken.wrong.join().includes("dialog"), "the policy lets others in: " + broken.wrong.join());
  await broken.close();
};

try {
  const late = await watch();
  console.log(`a new part file was on the page after ${late} ms`);
  await numbers();
  await brushed();
  await moved();
  await looks();
  await several();
} finally {
  await browser.close();
  server.kill("SIGINT");
}
console.log(`${checks} checks, ${faults} faults`);
process.exit(faults ? 1 : 0);
