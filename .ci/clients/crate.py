"""crate.py FOLDER: whether a folder is an RO-Crate 1.1 of the profile Process Run Crate 0.5, offline.

The validator fetches the JSON-LD context of RO-Crate; the one that the package rocrate brings is served in its place.
"""
import io
import pathlib
import sys
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

result = services.validate(services.ValidationSettings(
    rocrate_uri=sys.argv[1], profile_identifier="process-run-crate", requirement_severity=models.Severity.REQUIRED))
for issue in result.get_issues():
    print(issue.severity.name, issue.check.identifier, issue.message)
sys.exit(0 if result.passed() else 1)
