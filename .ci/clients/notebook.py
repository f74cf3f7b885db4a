"""notebook.py PAGE FIGURE.png: runs the Python of a page as a notebook, in a folder with the files that the page shows, and
looks at what its cells display. Draws the Vega-Lite specification of its figure.
"""
import json
import pathlib
import re
import struct
import sys
import zlib

import nbformat
import vl_convert
from nbconvert.preprocessors import ExecutePreprocessor

page, png = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2])
named = re.findall(r"^`([\w.]+)`:\n\n```\w+\n(.*?)^```", page, re.S | re.M)
for name, content in named:
    pathlib.Path(name).write_text(content)
files = [content for _, content in named]
cells = [code for code in re.findall(r"^```python\n(.*?)^```", page, re.S | re.M) if code not in files]
notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in cells])
ExecutePreprocessor(timeout=300, kernel_name="python3").preprocess(notebook)
nbformat.write(notebook, "page.ipynb")
shown = [out for cell in notebook.cells for out in cell.outputs]
kinds = {kind for out in shown for kind in out.get("data", {})}
text = json.dumps(shown)
assert {"text/html", "image/svg+xml"} <= kinds and "vegaEmbed" in text and "dark2" in text, kinds
assert 'value=\\"80\\" max=\\"80\\"' in text and "80 of 80 instances" in text, "no progress bar"
assert "('easy-waits-less', 'holds')" in text and 'did you mean \\"easy\\"' in text.replace("\\\\", "\\"), text[-2000:]

assert "mean wait of 300 jobs" in text, "no episode"

specification = pathlib.Path("results/runs/waits/analysis/figures/wait.vl.json").read_text()
png.write_bytes(vl_convert.vegalite_to_png(specification, scale=2))
data, pixels = png.read_bytes(), b""
width, height = struct.unpack(">II", data[16:24])
for part in re.finditer(rb"IDAT", data):
    (size,) = struct.unpack(">I", data[part.start() - 4:part.start()])
    pixels += data[part.end():part.end() + size]
assert width > 500 and height > 300 and len(set(zlib.decompress(pixels))) > 50, (width, height)
print(f"notebook: {len(cells)} cells, displays {', '.join(sorted(kinds))}; a Vega-Lite figure of {width} x {height}")
