// Looks at reports in Chromium: check.mjs FILE.html... [study]. With study the report is
// that of study.yaml, whose words are known. Every fault is a line; any makes the exit code 1.
import { createRequire } from "node:module";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(join(process.env.MODULES, "node_modules/"));
const puppeteer = require("puppeteer-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

let faults = 0, checks = 0;
const expect = (holds, what) => {
  checks++;
  if (!holds) {
    faults++;
    console.log("FAULT: " + what);
  }
};

// opened is a page with what went wrong in it.
const opened = async (browser, file, { width = 1280, scheme = "light", script = true } = {}) => {
  const page = await browser.newPage();
  page.wrong = [];
  page.on("console", (m) => page.wrong.push(m.type() + ": " + m.text()));
  page.on("pageerror", (e) => page.wrong.push("error: " + e.message));
  page.on("dialog", (d) => { page.wrong.push("dialog: " + d.message()); d.dismiss(); });
  page.on("request", (r) => { if (r.url() !== file) page.wrong.push("request: " + r.url().slice(0, 100)); });
  await page.setJavaScriptEnabled(script);
  await page.setViewport({ width, height: width < 500 ? 844 : 800 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(file);
  return page;
};

const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

const violations = async (page) => {
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run());
  return found.violations.map((v) => `${v.id}: ${v.help}: ${v.nodes[0].html.slice(0, 120)}`);
};

// cut are elements whose content is wider than they are, where nothing can be scrolled.
const cut = (page) => page.evaluate(() => [...document.querySelectorAll("main *")].filter((e) => e instanceof HTMLElement && e.checkVisibility() && e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1).map((e) => e.outerHTML.slice(0, 80)));

const cells = (page, table, column) => page.$$eval(`${table} > tbody > tr`, (rows, k) => rows.map((r) => r.cells[k].textContent.trim()), column);

// whole checks what holds of every report.
const whole = async (browser, file, name) => {
  for (const width of [1280, 390]) {
    for (const scheme of ["light", "dark"]) {
      const where = `${name}, ${width} px, ${scheme}`;
      const page = await opened(browser, file, { width, scheme });
      expect(await overflow(page) <= 0, `${where}: the page is wider than the screen by ${await overflow(page)} px`);
      expect(page.wrong.length === 0, `${where}: ${page.wrong.join("; ")}`);
      const spots = await page.$(".spots");
      if (spots) await spots.focus().then(() => page.keyboard.press("ArrowRight"));
      for (const v of await violations(page)) expect(false, `${where}: axe: ${v}`);
      await page.close();
    }
  }
  const paper = await opened(browser, file);
  await paper.emulateMediaType("print");
  for (const [width, hidden] of [[1017, ""], [688, ".many"]]) { // A4 without its margins, along and upright
    await paper.setViewport({ width, height: 800 });
    if (hidden) await paper.$$eval(hidden, (all) => all.forEach((e) => { e.style.display = "none"; }));
    expect(await overflow(paper) <= 0, `${name}, on paper: the page is wider than the paper by ${await overflow(paper)} px`);
    for (const e of await cut(paper)) expect(false, `${name}, on paper of ${width} px: cut: ${e}`);
  }
  await paper.reload();
  const claims = await paper.$$eval(".claims > tbody > tr > th small bdi:first-child", (all) => all.map((e) => e.textContent));
  const notes = await paper.$$eval(".notes li", (all) => all.map((e) => e.textContent));
  const folder = mkdtempSync(join(tmpdir(), "report-"));
  await paper.pdf({ path: join(folder, "report.pdf"), format: "A4", preferCSSPageSize: true, timeout: 120_000 });
  const text = execFileSync("pdftotext", ["-layout", join(folder, "report.pdf"), "-"], { maxBuffer: 1 << 28 }).toString().replace(/\s+/g, "");
  rmSync(folder, { recursive: true });
  for (const id of claims) expect(text.includes(id.replace(/\s+/g, "")), `${name}, on paper: the claim ${id} is missing`);
  for (const note of notes) expect(text.includes(note.replace(/\s+/g, "")), `${name}, on paper: the note "${note}" is missing`);
  await paper.close();
};

// study checks what the report of study.yaml does.
const study = async (browser, file) => {
  const page = await opened(browser, file);
  const manifest = readFileSync(new URL("study.yaml", import.meta.url), "utf8");
  expect(manifest.includes(await page.$eval("h1", (e) => e.textContent)), "the title is another");
  expect((await cells(page, ".claims", 0)).join() === "holds,does not hold,inconclusive,inconclusive", "the verdicts are " + await cells(page, ".claims", 0));

  const table = '[data-name="statistics"] table', head = (k) => `${table} thead th:nth-child(${k + 1})`;
  const heads = await page.$$eval(`${table} thead th`, (all) => all.map((e) => e.textContent)), mean = heads.indexOf("mean");
  const before = await cells(page, table, mean);
  for (const [sort, sign] of [["ascending", 1], ["descending", -1]]) {
    await page.click(head(mean) + " button");
    expect(await page.$eval(head(mean), (e) => e.getAttribute("aria-sort")) === sort, `a click does not sort ${sort}`);
    const means = (await cells(page, table, mean)).filter((t) => t !== "-").map(Number);
    expect(means.length > 10 && means.every((v, i) => i === 0 || sign * (v - means[i - 1]) >= 0), `means sorted ${sort}: ${means}`);
  }
  await page.focus(head(mean) + " button");
  await page.keyboard.press("Enter");
  expect((await cells(page, table, mean)).join() === before.join(), "the third time does not give the first order back");

  const count = () => page.$eval('[data-name="statistics"] output', (e) => e.textContent);
  expect(await count() === "1 to 20 of 108 rows", "the table tells " + await count());
  await page.click('[data-name="statistics"] .bar button:last-child');
  expect(await count() === "21 to 40 of 108 rows", "the next page is " + await count());
  await page.type('[data-name="statistics"] input', "EASY utilisation");
  const rows = await page.$$eval(table + " > tbody > tr", (all) => all.map((e) => e.textContent));
  expect(rows.length === 12 && rows.every((t) => t.includes("easy") && t.includes("utilisation")), "the filter leaves " + rows.length);
  expect(await count() === "1 to 12 of 12 rows that fit, of 108", "the filter tells " + await count());

  // A point of the first figure with no other near it shows its text under the pointer, and then by keys.
  const figure = "#figure-wait", points = JSON.parse(await page.$eval(figure + " script", (e) => e.textContent));
  const alone = (p) => Math.min(...points.filter((q) => q !== p).map((q) => Math.hypot(q.At[0][0] - p.At[0][0], q.At[0][1] - p.At[0][1])));
  const at = points.map((p, i) => [p.IDs?.length === 3 ? alone(p) : 0, i]).sort((a, b) => b[0] - a[0])[0][1];
  const shown = () => page.$eval(figure + " .tip", (e) => [e.querySelector("p").textContent, e.querySelector("code").textContent]);
  await page.$eval(figure, (e) => e.scrollIntoView());
  const box = await (await page.$(figure + " .spots")).boundingBox();
  await page.mouse.move(box.x + points[at].At[0][0] * box.width + 1, box.y + points[at].At[0][1] * box.height + 1);
  expect((await shown())[0] === points[at].Text, `under the pointer is "${points[at].Text}", the page shows "${(await shown())[0]}"`);
  expect((await shown())[1] === `schedsweep replay study.yaml ${points[at].IDs[1][1]}`, "the command is " + (await shown())[1]);
  await page.select(figure + " select", points[at].IDs[2][0]);
  expect((await shown())[1].endsWith(points[at].IDs[2][1]), "another instance has the command " + (await shown())[1]);
  await page.mouse.click(box.x + points[at].At[0][0] * box.width, box.y + points[at].At[0][1] * box.height);
  await page.click(figure + " .tip button");
  expect((await shown())[0] === points[at].Text, "a point that was clicked is not kept");
  expect(await page.evaluate(() => getSelection().toString()) === (await shown())[1], "the copied text is not the command");
  await page.focus(figure + " .spots");
  const value = () => page.$eval(figure + " .spots", (e) => [e.getAttribute("aria-valuenow"), e.getAttribute("aria-valuetext")].join());
  for (const [key, want] of [["Home", 0], ["ArrowRight", 1], ["ArrowUp", 2], ["ArrowLeft", 1], ["End", points.length - 1]]) {
    await page.keyboard.press(key);
    expect(await value() === `${want + 1},${points[want].Text}`, `${key} leads to ${await value()}`);
  }
  expect(await page.$eval(figure + " .ring", (e) => { const r = e.getBoundingClientRect(), s = e.parentElement.getBoundingClientRect(); return (r.left + r.width / 2 - s.left) / s.width; }).then((x) => Math.abs(x - points.at(-1).At[0][0]) < 0.002), "the ring is not at the point");
  expect(await page.evaluate((f) => getComputedStyle(document.querySelector(f + " .spots")).outlineStyle, figure) === "solid", "the focus cannot be seen");
  expect(page.wrong.length === 0, page.wrong.join("; "));
  await page.close();

  // On a phone the figure is another drawing, and its points are where that has them.
  const phone = await opened(browser, file, { width: 390 });
  await phone.$eval(figure, (e) => e.scrollIntoView());
  const small = await (await phone.$(figure + " .spots")).boundingBox(), seen = points.findIndex((p) => p.At[1][1] * small.height < 500 && p.IDs);
  await phone.mouse.click(small.x + points[seen].At[1][0] * small.width, small.y + points[seen].At[1][1] * small.height);
  expect(await phone.$eval(figure + " .tip p", (e) => e.textContent) === points[seen].Text, "a tap on a phone does not find its point");
  await phone.close();

  const plain = await opened(browser, file, { script: false });
  const text = await plain.$eval("body", (e) => e.innerText);
  for (const what of ["easy-waits-less", "mean_wait_time", "Instances without an answer", "name: study"]) expect(text.includes(what), `without JavaScript the page does not have ${what}`);
  await plain.close();

  // The checks find each fault.
  const broken = await opened(browser, file);
  await broken.evaluate(() => {
    document.querySelector("main").insertAdjacentHTML("afterbegin", '<img src="x.png"><p>' + "w".repeat(20) + '</p><div class="wide"><pre>' + "w".repeat(400) + "</pre></div>");
    document.querySelector("main p").style.cssText = "width: 2000px; max-width: none";
    document.querySelector("main pre").style.cssText = "white-space: pre; overflow: hidden";
    document.body.insertAdjacentHTML("beforeend", "<i onclick=alert(1)></i>");
    document.body.lastChild.click();
  });
  await new Promise((done) => setTimeout(done, 200));
  const wrong = broken.wrong.join();
  expect(wrong.includes("request:") || wrong.includes("img-src") || wrong.includes("default-src"), "an image from outside goes unnoticed: " + wrong);
  expect(!wrong.includes("dialog") && wrong.includes("script"), "the policy lets other scripts run: " + wrong);
  expect(await overflow(broken) > 0 && (await cut(broken)).length > 0, "the check misses a page that is too wide");
  expect((await violations(broken)).some((v) => v.startsWith("image-alt")), "axe finds no image without a text");
  await broken.close();
};

const args = process.argv.slice(2), known = args.at(-1) === "study";
if (known) args.pop();
const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
try {
  for (const name of args) {
    const file = pathToFileURL(resolve(name)).href;
    await whole(browser, file, name.replace(/.*\//, ""));
    if (known) await study(browser, file);
  }
} finally {
  await browser.close();
}
console.log(`${checks} checks, ${faults} faults`);
process.exit(faults ? 1 : 0);
