#!/usr/bin/env python3
"""Looks at a built site in Chromium, wide and narrow: packaging/site/browse.py FOLDER PROGRAM [PICTURES]

Each page must fit the width, have all its pictures and log no error. Each option of PROGRAM's help, typed into the search
field, must find a page of a command. PICTURES gets a screenshot of some pages. Needs selenium and chromedriver."""

import functools
import http.server
import pathlib
import re
import subprocess
import sys
import threading
import time

from selenium import webdriver

site, program = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
pictures = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
PHOTOGRAPHED = ("index.html", "docs/cookbook.html", "docs/commands/align.html", "docs/schemas.html", "docs/study.html")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site))
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}/"
faults = []


def browser(width, height):
    options = webdriver.ChromeOptions()
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--window-size={width},{height}"):
        options.add_argument(word)
    if width < 500:
        options.add_experimental_option("mobileEmulation", {"deviceMetrics": {"width": width, "height": height, "pixelRatio": 1.0}})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))


paths = [] if pictures == pathlib.Path('-') else [str(file.relative_to(site)) for file in sorted(site.rglob("*.html")) if site / "api" not in file.parents]
begin = time.time()
for width, height in ((1400, 900), (375, 800)):
    chrome = browser(width, height)
    for path in paths:
        if path == "404.html":
            continue
        chrome.get(base + path)
        wide, missing = chrome.execute_script(
            "return [document.documentElement.scrollWidth - window.innerWidth,"
            " Array.from(document.images).filter(i => i.loading != 'lazy' && !i.naturalWidth).map(i => i.src)]")
        if wide > 0:
            faults.append(f"{path} is {wide} points wider than {width}")
        faults += [f"{path}: no picture {name}" for name in missing]
        faults += [f"{path}: {entry['message']}" for entry in chrome.get_log("browser") if entry["level"] == "SEVERE"]
        if pictures and path in PHOTOGRAPHED:
            time.sleep(0.3)
            pictures.mkdir(exist_ok=True)
            chrome.save_screenshot(str(pictures / f"{width}-{path.replace('/', '-')}.png"))
    chrome.quit()
    print(f"{width} wide: {time.time() - begin:.0f} s", flush=True)

options = set()
for file in site.glob("docs/commands/*.html"):
    if file.stem != "index":
        text = subprocess.run([program, "help", file.stem], check=True, capture_output=True, text=True).stdout
        for line in re.findall(r"^  (-.*)", text, re.M):
            options.update(re.findall(r"(?:^|, )(--[a-z0-9-]*)", re.split(r"  ", line)[0]))
chrome = browser(1400, 900)
begin, best = time.time(), 0
chrome.get(base + "index.html")
chrome.execute_script("document.querySelector('#__search').click()")
time.sleep(2)
SEARCH = """
const field = document.querySelector('input[data-md-component=search-query]');
field.value = arguments[0]; field.dispatchEvent(new Event('keyup', {bubbles: true})); field.dispatchEvent(new Event('input', {bubbles: true}));"""
RESULT = """return [document.querySelector('.md-search-result__meta').innerText,
 Array.from(document.querySelectorAll('.md-search-result__link')).map(a => a.getAttribute('href'))]"""
for option in sorted(options):
    links, deadline = [], time.time() + 60
    chrome.execute_script(SEARCH, "zzqx")
    while "No matching" not in chrome.execute_script(RESULT)[0] and time.time() < deadline:
        time.sleep(0.02)
    chrome.execute_script(SEARCH, option)
    while time.time() < deadline and not any("/commands/" in link for link in links):
        time.sleep(0.02)
        links = chrome.execute_script(RESULT)[1]
    if not any("/commands/" in link for link in links):
        faults.append(f"the search for {option} finds {links}")
    best += "/commands/" in (links or [""])[0]
print(f"{len(options)} searches: {time.time() - begin:.0f} s; the first result is a command's page in {best}")
chrome.quit()
for fault in faults:
    print(fault)
print(f"{len(paths)} pages at two widths, {len(options)} searches; {len(faults)} faults")
sys.exit(1 if faults else 0)
