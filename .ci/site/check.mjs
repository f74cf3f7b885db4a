// check.mjs FOLDER: the site in Chromium, from files: axe, widths, search, nothing from elsewhere. A fault is a line.
import { createRequire } from "node:module";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(join(process.env.MODULES, "node_modules/"));
const puppeteer = require("puppeteer-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const folder = resolve(process.argv[2]);
// These pages have all layouts, and are looked at in four ways. Every other page is looked at in one, by turns.
const fully = new Set(["index", "docs/index", "docs/tutorials/first-sweep", "docs/how-to/replicate-a-log", "docs/gallery/index", "docs/reference/verbs",
  "docs/reference/sections/policy", "docs/reference/module-protocol", "docs/explanation/intervals", "results/index"]);
// The tables below results have one layout: claims are looked at, which have most links and notes, if they are short.
const tables = /^results\/.*\/(?!index$|claims$)[^/]*$/, long = 200_000;
const pages = readdirSync(folder, { recursive: true }).filter((f) => f.endsWith(".html") && f !== "404.html").map((f) => f.slice(0, -5))
  .filter((f) => fully.has(f) || !tables.test(f) && statSync(join(folder, f + ".html")).size < long).sort();

let faults = 0, checks = 0;
const expect = (holds, what) => {
  checks++;
  if (!holds) {
    faults++;
    console.log("FAULT: " + what);
  }
};
const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--allow-file-access-from-files"] });
const opened = async (name, width, scheme) => {
  const context = await browser.createBrowserContext(); // or the theme remembers the scheme of the page before
  const page = await context.newPage();
  page.wrong = [];
  page.on("pageerror", (e) => page.wrong.push("error: " + e.message));
  page.on("request", (r) => { if (!/^(file|data|blob):/.test(r.url())) page.wrong.push("request: " + r.url().slice(0, 100)); });
  page.on("requestfailed", (r) => page.wrong.push("failed: " + r.url().slice(-80)));
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }, { name: "prefers-reduced-motion", value: "reduce" }]);
  await page.goto(pathToFileURL(join(folder, name + ".html")).href);
  return page;
};
const todo = [];
for (const [at, name] of pages.entries()) {
  for (const width of [1280, 390]) {
    for (const scheme of ["light", "dark"]) {
      if (fully.has(name) || at % 4 === (width === 390) * 2 + (scheme === "dark")) todo.push([name, width, scheme]);
    }
  }
}
const look = async (name, width, scheme) => {
  const where = `${name}, ${width} px, ${scheme}`;
  const page = await opened(name, width, scheme);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wider <= 0, `${where}: wider than the screen by ${wider} px`);
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run());
  for (const v of found.violations) expect(false, `${where}: axe: ${v.id}: ${v.nodes.length} times: ${v.nodes.slice(0, 4).map((n) => n.html.slice(0, 90).replace(/\s+/g, " ") + " " + (n.any[0]?.message ?? "").slice(0, 140)).join(" | ")}`);
  expect(page.wrong.length === 0, `${where}: ${page.wrong.join("; ")}`);
  await page.browserContext().close();
};
const worker = async () => { while (todo.length) await look(...todo.shift()); };
await Promise.all([worker(), worker()]);
for (const name of fully) expect(pages.includes(name), "there is no page " + name);
const page = await opened("docs/index", 1280, "light");
await page.click("input.md-search__input");
await page.type("input.md-search__input", "conservative");
const found = await page.waitForSelector(".md-search-result__item a", { timeout: 20_000 }).then((a) => a.evaluate((e) => e.getAttribute("href")), () => "");
expect(found !== "", "the search finds no page about conservative backfilling");
await browser.close();
console.log(`${pages.length} pages, ${checks} checks, ${faults} faults`);
process.exit(faults ? 1 : 0);
