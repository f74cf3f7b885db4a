// What the theme leaves out for readers by keyboard and by ear.
addEventListener("DOMContentLoaded", () => {
  document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
  document.querySelectorAll("pre > code, .md-typeset__table, .md-typeset__scrollwrap").forEach((e) => e.setAttribute("tabindex", "0"));
  document.querySelectorAll("nav.md-nav[aria-labelledby], nav.md-code__nav").forEach((nav, i) => {
    const title = nav.querySelector(".md-nav__title")?.textContent.trim() ?? "Code";
    nav.removeAttribute("aria-labelledby");
    nav.setAttribute("aria-label", `${title} ${i + 1}`);
  });
});
