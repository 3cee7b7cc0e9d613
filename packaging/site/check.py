#!/usr/bin/env python3
"""Checks a built site: packaging/site/check.py FOLDER PROGRAM

Each link of a page leads to a page, picture or anchor that is there; nothing is read from another host; each page is two clicks
from the first one; the search index has each option that `clalign help` prints."""

import json
import os
import pathlib
import re
import subprocess
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

site = pathlib.Path(sys.argv[1]).resolve()
program = sys.argv[2]


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.anchors = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        for name in ("id", "name"):
            if attributes.get(name):
                self.anchors.add(attributes[name])
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        elif tag in ("img", "script", "iframe", "source") and attributes.get("src"):
            self.loads.append(attributes["src"])
        elif tag == "link" and attributes.get("href") and "canonical" not in attributes.get("rel", ""):
            self.loads.append(attributes["href"])


def target_of(page, link):
    """The file and anchor of a link, None if it leaves the site."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    path = unquote(parts.path)
    file = page if not path else pathlib.Path(os.path.normpath(page.parent / path))
    return (file / "index.html" if file.is_dir() else file), unquote(parts.fragment)


pages = {file: Page(file.read_text(encoding="utf-8")) for file in site.rglob("*.html")}
faults = []
for file, page in pages.items():
    is_made_by_doxygen = site / "api" in file.parents
    for link in page.links + page.loads:
        if link.startswith(("data:", "javascript:", "mailto:")):
            continue
        target = target_of(file, link)
        if target is None:
            if link in page.loads:
                faults.append(f"{file}: reads {link} from another host")
            continue
        where, anchor = target
        if file.name == "404.html":
            continue
        if not where.exists():
            faults.append(f"{file}: no file for the link {link}")
        elif anchor and where in pages and anchor not in pages[where].anchors and not is_made_by_doxygen:
            faults.append(f"{file}: no place for the link {link}")

start = site / "index.html"
clicks = {start: 0}
order = [start]
for file in order:
    for link in pages[file].links:
        target = target_of(file, link)
        if target and target[0] in pages and target[0] not in clicks:
            clicks[target[0]] = clicks[file] + 1
            order.append(target[0])
own = [file for file in pages if site / "api" not in file.parents and file.name != "404.html"]
for file in own + [site / "api/index.html"]:
    if clicks.get(file, 99) > 2:
        faults.append(f"{file}: {clicks.get(file, 'no')} clicks from the first page")

help_text = subprocess.run([program, "help"], check=True, capture_output=True, text=True).stdout
names = re.findall(r"^  ([a-z]+) ", re.search(r"\ncommands:\n(.*?)\n\n", help_text, re.S).group(1), re.M)
options = set()
for name in names:
    text = subprocess.run([program, "help", name], check=True, capture_output=True, text=True).stdout
    for line in re.findall(r"^  (-.*)", text, re.M):
        options.update(re.findall(r"(?:^|, )(--?[a-zA-Z@][a-z0-9-]*)", re.split(r"  ", line)[0]))
index = json.loads((site / "search/search_index.json").read_text())
words = set()
for entry in index["docs"]:
    words.update(re.findall(r"(?<![\w-])--?[a-zA-Z@][a-z0-9-]*", re.sub(r"<[^>]*>", " ", entry["title"] + " " + entry["text"])))
for option in sorted(options - words):
    faults.append(f"the search index lacks {option}")

for fault in faults:
    print(fault.replace(str(site) + "/", ""))
size = sum(file.stat().st_size for file in site.rglob("*") if file.is_file())
print(f"{len(own)} pages, {len(pages) - len(own)} of the API reference, {sum(len(page.links) for page in pages.values())} links, "
      f"{len(options)} options, {size / 1e6:.1f} MB; most clicks from the first page: "
      f"{max(clicks.get(file, 99) for file in own)}; {len(faults)} faults")
sys.exit(1 if faults else 0)
