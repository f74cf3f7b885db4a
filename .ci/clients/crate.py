"""crate.py FOLDER PART: checks offline that a folder is an RO-Crate 1.1 of the profile Process Run Crate 0.5 as it is (PART
is whole). It is none without one of its files, or without a property of its actions (PART is its name).

The validator fetches the JSON-LD context of RO-Crate; the one that the package rocrate brings is served in its place.
"""
import io
import json
import pathlib
import shutil
import sys
import tempfile
import urllib.request

import rdflib.parser
import requests
import rocrate
import urllib3
from rocrate_validator import models, services

CONTEXT = (pathlib.Path(rocrate.__file__).parent / "data" / "ro-crate.jsonld").read_bytes()


def served(url):
    if not url.startswith("https://w3id.org/ro/crate/"):
        raise SystemExit(f"the validation asks for {url}, and is to work offline")
    return CONTEXT


def send(self, request, **_):
    raw = urllib3.HTTPResponse(io.BytesIO(served(request.url)), {"Content-Type": "application/ld+json"}, 200, preload_content=False, request_url=request.url)
    return self.build_response(request, raw)


def urlopen(request, *_, **__):
    url = getattr(request, "full_url", request)
    answer = urllib.request.addinfourl(io.BytesIO(served(url)), {"Content-Type": "application/ld+json"}, url, 200)
    return answer


requests.adapters.HTTPAdapter.send = send
rdflib.parser._urlopen = urlopen

folder, part = pathlib.Path(sys.argv[1]), sys.argv[2]
with tempfile.TemporaryDirectory() as temp:
    crate = pathlib.Path(temp) / "crate"
    shutil.copytree(folder, crate)
    if (crate / part).is_file():
        (crate / part).unlink()
    elif part != "whole":
        about = json.loads((crate / "ro-crate-metadata.json").read_text())
        for action in [e for e in about["@graph"] if e["@type"] == "CreateAction"]:
            del action[part]
        (crate / "ro-crate-metadata.json").write_text(json.dumps(about))
    result = services.validate(services.ValidationSettings(
        rocrate_uri=str(crate), profile_identifier="process-run-crate", requirement_severity=models.Severity.REQUIRED))
    issues = [f"{i.check.identifier} {i.message}" for i in result.get_issues()]
if (part == "whole") != result.passed() or part != "whole" and not any(part in i for i in issues):
    raise SystemExit(f"crate, {part}: passed is {result.passed()}; {issues}")
print(f"crate, {part}:", "valid" if result.passed() else f"refused ({issues[0]})")
