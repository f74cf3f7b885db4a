"""build.py REPOSITORY TO: the documentation as a site that works from files, with search. It needs mkdocs-material.

The pages keep their places, so that their links hold. What a page links to comes along. A link to nothing is an error.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

root, to = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
here = pathlib.Path(__file__).resolve().parent
kept = set(subprocess.run(["git", "-C", root, "ls-files"], check=True, capture_output=True, text=True).stdout.splitlines())
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
GLUED = re.compile(r"^(?![-#|>\s]|\d+\. ).+\n(?:-|\d+\.) .*", re.M)  # a list behind a paragraph, which the site would join to it


def links(page):
    """The files that a page names, by their paths in the repository, and faults."""
    text = re.sub(r"```.*?```", "", (root / page).read_text(), flags=re.S)
    faults.extend(f"{page}: a list needs an empty line before it: {glued}" for glued in GLUED.findall(text))
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            continue
        path = (root / page).parent / target.split("#")[0]
        name = path.resolve().relative_to(root).as_posix()
        if name in kept:
            yield name
        else:
            faults.append(f"{page}: {target} is no file of the repository")


faults, chosen = [], set()
todo = [p for p in kept if p in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "results/README.md") or
        p.startswith("docs/") or re.fullmatch(r"results/[a-z0-9]+/README\.md", p)]
while todo:
    page = todo.pop()
    if page in chosen:
        continue
    chosen.add(page)
    if page.endswith(".md"):
        todo.extend(links(page))
menu = (here / "mkdocs.yml").read_text()
faults += [f"mkdocs.yml: the menu lacks {p}" for p in chosen if re.fullmatch(r"docs/.*\.md|results/[a-z0-9]+/README\.md", p) and p not in menu]
if faults:
    sys.exit("\n".join(sorted(faults)))
with tempfile.TemporaryDirectory() as work:
    pages = pathlib.Path(work, "pages")
    for name in chosen:
        place = pages / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, place)
        if name.endswith(".md") and not re.search("^# ", text := place.read_text(), re.M):  # a table, whose title is no title of a page
            place.write_text(re.sub("^##(#+) ", r"\1 ", text, flags=re.M))
    for name in ("site.css", "site.js"):
        shutil.copyfile(here / name, pages / name)
    shutil.copyfile(here / "mkdocs.yml", pathlib.Path(work, "mkdocs.yml"))
    subprocess.run([sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", to], cwd=work, check=True,
                   env=os.environ | {"NO_MKDOCS_2_WARNING": "1"})
# The theme takes what lets the search work from files from a CDN.
shutil.copyfile(here / "iframe-worker.js", to / "iframe-worker.js")
for page in to.rglob("*.html"):
    up = "../" * (len(page.relative_to(to).parts) - 1)
    text = page.read_text().replace("https://unpkg.com/iframe-worker/shim", up + "iframe-worker.js")
    page.write_text(re.sub(r"<th([^>]*)></th>", r"<td\1></td>", text))  # a corner without a text heads nothing
print(f"{sum(n.endswith('.md') for n in chosen)} pages in {to}")
