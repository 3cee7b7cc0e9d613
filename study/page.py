"""The study as a page: one screen a system, with idea, code, picture and graph, and a table of gains."""

import base64
import html as escape
import importlib.util
import pathlib
import tomllib

import cudalign_pictures
import graphs
import pictures

LINES_MOST = 40
HERE = pathlib.Path(__file__).resolve().parent

STYLE = """
body { font: 16px/1.45 sans-serif; margin: 0; color: #222; }
section { min-height: 100vh; box-sizing: border-box; padding: 1.2em 2em; border-bottom: 1px solid #ccc; }
.step { display: grid; grid-template-rows: auto auto 1fr; grid-template-columns: minmax(20em, 2fr) minmax(0, 3fr); gap: 0 2em; }
.step h2, .step .cite { grid-column: 1 / 3; margin: 0; }
.cite { color: #666; font-size: 13px; }
pre { font-size: 12.5px; line-height: 1.3; background: #f6f6f4; padding: 0.8em; overflow: auto; margin: 0.8em 0 0; }
.picture svg { width: 100%; max-width: 30em; } .graph svg { width: 100%; max-width: 32em; }
img { max-width: 100%; } table { border-collapse: collapse; } td, th { padding: 0.2em 0.7em; text-align: left; border-bottom: 1px solid #ddd; }
nav a { margin-right: 0.8em; }
@media (max-width: 60em) { .step { display: block; } }
"""


def own_module(paper, name):
    """The paper's own `name`.py, or None."""
    path = paper / f"{name}.py"
    if not path.exists():
        return None
    spec = importlib.util.spec_from_file_location(f"{name} of {paper.name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def picture_of(paper, name):
    """A picture of the paper's own pictures.py, or of the shared ones."""
    modules = (own_module(paper, "pictures"), cudalign_pictures, pictures)
    return next(getattr(module, name) for module in modules if hasattr(module, name))


def further_tables(paper, rows):
    """What the paper's own further.py adds: title, text, head and lines of each table."""
    own = own_module(paper, "further")
    return own.tables(rows) if own else []


def excerpt(path, begin):
    """From the line that begins so, to the end of what it begins: the next line that closes it; in Python, the next empty one."""
    lines = path.read_text().splitlines()
    first = next((k for k, line in enumerate(lines) if line.startswith(begin)), None)
    if first is None:
        raise ValueError(f"{path}: no line begins with '{begin}'")
    indent = begin[: len(begin) - len(begin.lstrip())]
    if path.suffix == ".py":
        last = next(k for k in range(first + 1, len(lines) + 1) if k == len(lines) or not lines[k]) - 1
    else:
        last = next(k for k in range(first + 1, len(lines)) if lines[k].startswith(indent + "}"))
    shown = lines[first : last + 1]
    if len(shown) > LINES_MOST:
        raise ValueError(f"{path}: {len(shown)} lines from '{begin}' on, at most {LINES_MOST} fit a screen")
    return "\n".join(line[len(indent) :] for line in shown)


def short(value):
    return f"{value:.0f}" if value >= 1000 else f"{value:.3g}"


def bars(rows, system, quantity="gcups"):
    """GCUPS (cells / 10^9 / seconds), or milliseconds, of all systems so far, this one marked."""
    defaults, size = graphs.default_rows(rows), graphs.largest_size(rows)
    systems = graphs.systems_of(rows)
    shown = systems[: systems.index(system) + 1][-8:]
    factor = 1000 if quantity == "seconds" else 1
    values = [(name, factor * float(defaults[name, size][quantity])) for name in shown if (name, size) in defaults]
    left = 10 + max((6.5 * len(name) for name, _ in values), default=46)
    most = max((value for _, value in values), default=1.0)
    what = "ms" if quantity == "seconds" else "billion cells a second"
    parts = [pictures.text(4, 14, f"{what}, {size} letters")]
    for k, (name, value) in enumerate(values):
        y, fill = 24 + 18 * k, pictures.NOW if name == system else pictures.DONE
        parts += [pictures.text(4, y + 12, name), pictures.rectangle(left, y, round(220 * value / most, 1), 14, fill),
                  pictures.text(left + 6 + round(220 * value / most, 1), y + 12, short(value))]
    return pictures.svg(left + 284, 30 + 18 * len(values), parts)


def section_of(rows_of_table, system):
    return next((row["section"] for row in rows_of_table if row["system"] == system), "")


def code_html(paper, file, begin):
    """From a file of the paper's folder, or FOLDER/FILE, or /FILE of the project."""
    path = HERE.parent / file[1:] if file.startswith("/") else paper.parent / file if "/" in file else paper / file
    return f"<pre><b>{path.parent.name}/{path.name}</b>\n{escape.escape(excerpt(path, begin))}</pre>"


def subject(claim):
    return f"over {claim['over']}" if claim["over"] else f"{published_gain(claim)} {QUANTITIES[claim['quantity']]}"


def step_html(paper, step, rows, published, head):
    system = step["system"]
    said = "; ".join(f"{subject(row)}: {row['says']} (section {row['section']})" for row in published if row["system"] == system)
    code = code_html(paper, step["code"], step["from"])
    if "before" in step:
        code = code_html(paper, *step["before"]) + code
    picture, graph = picture_of(paper, step["picture"])(), bars(rows, system, head.get("show", "gcups"))
    return (f'<section class="step" id="{system}"><h2>{system}</h2>'
            f'<p class="cite">{escape.escape(head["source"])}{": " + escape.escape(said) if said else ""}</p>'
            f'<div><p>{escape.escape(step["idea"].strip())}</p><div class="picture">{picture}</div><div class="graph">{graph}</div></div>'
            f'<div>{code}</div></section>')


def image(folder, name):
    path = folder / f"{name}.png"
    if not path.exists():
        return ""
    data = base64.b64encode(path.read_bytes()).decode()
    return f'<p><img alt="{name}" src="data:image/png;base64,{data}"/></p>'


def gain(rows, claim):
    """How many times less the system takes here than the other, of the quantity; None: it was not run. Without another
    the quantity itself."""
    defaults, size = graphs.default_rows(rows), graphs.largest_size(rows)
    if not claim["over"]:
        alone = defaults.get((claim["system"], size))
        return None if alone is None else float(alone[claim["quantity"]])
    pair = [defaults.get((claim[name], size)) for name in ("system", "over")]
    if None in pair or float(pair[0][claim["quantity"]]) == 0:
        return None
    return float(pair[1][claim["quantity"]]) / float(pair[0][claim["quantity"]])


def published_gain(claim):
    low, high = claim["gain_low"], claim["gain_high"]
    if low and high:
        return low if low == high else f"{low} to {high}"
    return f"above {low}" if low else f"below {high}"


QUANTITIES = {"seconds": "all", "compute_seconds": "cells alone", "transfer_seconds": "download", "stored_bytes": "memory kept",
              "cells": "cells", "gcups": "10^9 cells a second"}


def table(rows, published):
    for claim in published:
        here = gain(rows, claim)
        yield (claim["system"], claim["over"], QUANTITIES[claim["quantity"]], published_gain(claim), claim["section"],
               "-" if here is None else f"{here:.2f}", claim["says"])


HEAD = ("system", "over", "of", "published gain", "section", "gain here", "the paper says")


def markdown(head, lines):
    return "".join("| " + " | ".join(line) + " |\n" for line in (head, ("---",) * len(head), *lines))


def by_length(rows, name, digits):
    """A line a system, a column a length."""
    defaults = graphs.default_rows(rows)
    sizes = sorted({size for _, size in defaults})
    lines = [(system, *(f"{float(defaults[system, size][name]):.{digits}g}" if (system, size) in defaults else "-" for size in sizes))
             for system in graphs.systems_of(rows)]
    return markdown(("system", *(str(size) for size in sizes)), lines)


def by_setting(rows):
    lines = [(group[0]["system"], graphs.setting_name(row), f"{1000 * float(row['compute_seconds']):.3g}", f"{1000 * float(row['seconds']):.3g}")
             for group in graphs.several_settings(rows) for row in group]
    return markdown(("system", "tile / work-items or threads", "ms for the cells", "ms in all"), lines)


def tables(paper, rows, published):
    """All tables of the paper's kind, as text."""
    size, device = graphs.largest_size(rows), graphs.device_of(rows)
    return (f"# {device}\n\n## Gains for {size} letters\n\nA gain of 2: half the time, or half the memory.\n\n"
            f"{markdown(HEAD, table(rows, published))}\n## Seconds by length\n\n{by_length(rows, 'seconds', 3)}\n"
            f"## Speed-up over {graphs.systems_of(rows)[0]} by length\n\n{by_length(rows, 'speedup', 3)}\n"
            f"## Tiles, work-items and threads\n\n{by_setting(rows)}"
            + "".join(f"\n## {title}\n\n{said}\n\n{markdown(head, lines)}" for title, said, head, lines in further_tables(paper, rows)))


def table_html(head, lines):
    def line(tag, words):
        return "<tr>" + "".join(f"<{tag}>{escape.escape(word)}</{tag}>" for word in words) + "</tr>"
    return "<table>" + line("th", head) + "".join(line("td", words) for words in lines) + "</table>"


def read_steps(paper):
    with open(paper / "steps.toml", "rb") as source:
        return tomllib.load(source)


def shows_stages(paper):
    """Whether the rows are stages of one alignment, so that rates say nothing."""
    return read_steps(paper)["paper"].get("show") == "seconds"


def html(paper, rows, published, folder):
    steps = read_steps(paper)
    head, systems = steps["paper"], graphs.systems_of(rows)
    shown = [step for step in steps["step"] if step["system"] in systems]
    first = "stages" if (folder / "stages.png").exists() else "speedup"
    links = "".join(f'<a href="#{step["system"]}">{step["system"]}</a>' for step in shown)
    body = "".join(step_html(paper, step, rows, published, head) for step in shown)
    further = "".join(f"<section><h2>{escape.escape(title)}</h2><p>{escape.escape(said)}</p>{table_html(head, lines)}</section>"
                      for title, said, head, lines in further_tables(paper, rows))
    images = "".join(image(folder, name) for name in ("stages", "speedup", "seconds", "parts", "settings"))
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/><title>{escape.escape(head["title"])}</title>'
            f"<style>{STYLE}</style></head><body><section><h1>{escape.escape(head['title'])}</h1>"
            f"<p>{escape.escape(head['intro'].strip())}</p><p>Device: {escape.escape(graphs.device_of(rows))}. Every result was checked against "
            f"the oracle before its time counted.</p><nav>{links}</nav>{image(folder, first)}</section>{body}"
            f"<section><h2>Published and measured</h2>{table_html(HEAD, table(rows, published))}{images}</section>{further}</body></html>\n")
