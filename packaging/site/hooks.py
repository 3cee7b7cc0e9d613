"""What the site has beside the pages of the source tree: commands, from `clalign help`; the API reference, from Doxygen;
schemas, examples and the notebook. packaging/site/build sets CLALIGN (a program) and CLALIGN_API (Doxygen's folder)."""

import html
import json
import os
import pathlib
import re
import subprocess

from mkdocs.structure.files import File, InclusionLevel

ROOT = pathlib.Path(__file__).resolve().parents[2]
API = pathlib.Path(os.environ["CLALIGN_API"])
PROGRAM = os.environ["CLALIGN"]


def program(*words):
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout


def command_names():
    names = re.search(r"\ncommands:\n(.*?)\n\n", program("help"), re.S).group(1)
    return re.findall(r"^  ([a-z]+) ", names, re.M)


def option_of(line):
    """The option and the beginning of its text, for a line of help that begins one."""
    found = re.match(r"  (-\S.*?)(?:  +(\S.*))?$", line)
    return (found.group(1), found.group(2) or "") if found else None


def escaped(text):
    return re.sub(r"([\\`*_{}<>#|$~^=])", lambda found: html.escape(found.group(1)) if found.group(1) in "<>" else
                  "\\" + found.group(1) if found.group(1) in "\\`*_{}#|" else found.group(1), text)


def command_page(name):
    """`clalign help NAME` as a page: each group a heading, each option a smaller one, so that the search has it as a title."""
    lines = program("help", name).splitlines()
    page = ["---", "search:", "  boost: 8", "---", f"# clalign {name}", "", "```", re.sub("^usage: ", "", lines[0]), "```", ""]
    in_examples = False
    terms = []

    def finish():
        for option, words in terms:
            name = re.sub(r"^(?:-\S, )*(--?[\w-]+).*", r"\1", option).strip("-")
            page.extend([f"#### `{option}` {{#{name}}}", "", escaped(" ".join(words)), ""])
        terms.clear()

    for line in lines[1:]:
        option = None if in_examples else option_of(line)
        if re.match(r"[a-z].*:$", line):
            finish()
            in_examples = line == "examples:"
            page.extend(["", "## " + line[:-1].capitalize(), ""])
        elif option:
            terms.append((option[0], [option[1]]))
        elif terms and line.startswith("      "):
            terms[-1][1].append(line.strip())
        elif in_examples and line.startswith("  clalign"):
            page.extend(["", "```", line.strip(), "```", ""])
        else:
            finish()
            page.append(escaped(line.strip()) if line.startswith("  ") else escaped(line))
    finish()
    return "\n".join(page) + "\n"


def commands_page():
    text = program("help")
    rows = re.search(r"\ncommands:\n(.*?)\n\n", text, re.S).group(1)
    page = ["# Options", "", "From `clalign help`, of the version that this site describes.", ""]
    for name, usage, rest in re.findall(r"^  ([a-z]+)  *(.*?)  +(\S.*(?:\n    .*)*)", rows, re.M):
        page.append(f"- [clalign {name}]({name}.md) {escaped(usage)}: {escaped(' '.join(rest.split()))}")
    page += ["", "## Exit codes and help", "", "```", text.split("exit codes:\n")[1].rstrip(), "```", "",
             "## Presets", "", "```", program("help", "presets").rstrip(), "```", ""]
    return "\n".join(page)


def resolved(schema, node):
    """A node with what its $ref names."""
    while "$ref" in node:
        target = schema
        for part in node["$ref"].split("/")[1:]:
            target = target[part]
        node = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
    return node


def schema_rows(schema, node, path, rows, seen=()):
    """The properties of a JSON schema, one row each; a definition is followed once on each way."""
    if "$ref" in node:
        if node["$ref"] in seen:
            return
        seen += (node["$ref"],)
    node = resolved(schema, node)
    for part in node.get("allOf", []) + node.get("oneOf", []) + node.get("anyOf", []):
        schema_rows(schema, part, path, rows, seen)
    for name, inner in node.get("properties", {}).items():
        here = f"{path}{name}"
        if here not in rows:
            rows[here] = [inner, name in node.get("required", [])]
        schema_rows(schema, inner, here + ".", rows, seen)
    if isinstance(node.get("items"), dict):
        schema_rows(schema, node["items"], path[:-1] + "[].", rows, seen)


def kind_of(schema, node):
    node = resolved(schema, node)
    for part in node.get("allOf", []):
        node = {**node, **{key: value for key, value in resolved(schema, part).items() if key in ("type", "description")}}
    kind = node.get("type", "one of" if "enum" in node else "")
    kind = " or ".join(kind) if isinstance(kind, list) else kind
    if "enum" in node:
        kind += " " + ", ".join(f"`{word}`" for word in node["enum"])
    return kind, node.get("description", "")


def schemas_page():
    page = ["# JSON schemas", "", "What [the formats](formats.md) with JSON hold, from the schemas that the tests check each output with.", ""]
    for file in sorted((ROOT / "docs").glob("*.schema.json")):
        schema = json.loads(file.read_text())
        rows = {}
        schema_rows(schema, schema, "", rows)
        page += [f"## {file.name}", "", escaped(schema.get("title", "")), "", f"[the schema]({file.name})", "",
                 "| member | always there | type | |", "|---|---|---|---|"]
        for name, (node, needed) in rows.items():
            kind, text = kind_of(schema, node)
            page.append(f"| `{name}` | {'yes' if needed else ''} | {kind} | {escaped(text)} |")
        page.append("")
    return "\n".join(page)


def api_page():
    """The public headers with their first sentences, each linked with Doxygen's page."""
    page = ["# API of the library", "",
            "The [reference of the public headers](../api/index.html) is made by Doxygen from their comments. [The library](library.md) "
            "says how to begin, [examples](../examples/README.md) are whole programs.", "", "| header | |", "|---|---|"]
    for header in sorted((ROOT / "include/clalign").glob("*.h")):
        comment = re.search(r"/\*(.*?)\*/", header.read_text(), re.S)
        words = " ".join(re.sub(r"(?m)^ \*", "", comment.group(1)).split()) if comment else ""
        sentence = re.match(r".*?[.:](?= |$)", words)
        page.append(f"| [{header.name}](../api/{api_name(header.name)}) | {escaped(sentence.group(0) if sentence else words)} |")
    return "\n".join(page) + "\n"


def api_name(header):
    return header.replace("_", "__").replace(".h", "_8h.html")


def examples_page():
    page = ["# Examples of programs", ""]
    kinds = {".c": "c", ".h": "c", ".cc": "cpp", ".py": "python", ".txt": "cmake"}
    for file in sorted((ROOT / "examples").iterdir()):
        if file.suffix in kinds:
            page += [f"## {file.name}", "", f"```{kinds[file.suffix]}", file.read_text().rstrip(), "```", ""]
    return "\n".join(page)


def notebook_page():
    page = ["[As a notebook](first-hour.ipynb)", ""]
    for cell in json.loads((ROOT / "docs/first-hour.ipynb").read_text())["cells"]:
        text = "".join(cell["source"])
        page += [text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```", ""]
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data:
                page.append(f"![output](data:image/png;base64,{''.join(data['image/png']).strip()})")
            else:
                page.append("```\n" + "".join(output.get("text", data.get("text/plain", ""))).rstrip() + "\n```")
            page.append("")
    first = next(i for i, line in enumerate(page) if line.startswith("# "))
    title, _, rest = page[first].partition("\n")
    page[first] = rest
    return "\n".join([title, ""] + page)


def add(config, files, path, content):
    """A made page; where the source tree has one of that name, that stays."""
    if not files.get_file_from_path(path):
        files.append(File.generated(config, path, content=content))


def on_config(config):
    rooms = sorted(str(file.relative_to(ROOT)) for file in ROOT.glob("host/*/README.md"))
    rooms += sorted(str(file.relative_to(ROOT)) for file in ROOT.glob("host/*/*/README.md"))
    ways = sorted(str(file.relative_to(ROOT)) for file in [*ROOT.glob("packaging/README.md"), *ROOT.glob("packaging/*/README.md")])
    for section in config.nav:
        pages = section.get("Internals")
        if pages:
            pages.append({"Rooms of host/": [{str(pathlib.Path(room).parent): room} for room in rooms]})
        if section.get("Project"):
            section["Project"] += ["SECURITY.md"] * (ROOT / "SECURITY.md").exists() + [{"Packaging": ways}]
        if section.get("Reference"):
            section["Reference"][0] = {"Options": [{"All commands": "docs/commands/README.md"}] +
                                       [{name: f"docs/commands/{name}.md"} for name in command_names()]}
        # Pages that a source tree may or may not have.
        for title, name, at in (("Align", "installing", 0), ("Devices", "devices-seen", 1), ("Reference", "developers", 4)):
            if section.get(title) and (ROOT / f"docs/{name}.md").exists():
                section[title].insert(at, f"docs/{name}.md")
    return config


def on_files(files, config):
    add(config, files, "docs/commands/README.md", commands_page())
    for name in command_names():
        add(config, files, f"docs/commands/{name}.md", command_page(name))
    add(config, files, "docs/schemas.md", schemas_page())
    add(config, files, "docs/api.md", api_page())
    add(config, files, "examples/README.md", examples_page())
    add(config, files, "docs/first-hour.md", notebook_page())
    for name in ("site.css", "search.js"):
        files.append(File.generated(config, f"packaging/site/{name}", abs_src_path=str(ROOT / "packaging/site" / name)))
    for file in API.rglob("*"):
        if file.is_file():
            files.append(File.generated(config, f"api/{file.relative_to(API)}", abs_src_path=str(file)))
    # What is not of the source tree is not subject to mkdocs.yml's exclude_docs.
    for file in files:
        if file.generated_by or not file.abs_src_path.startswith(str(ROOT) + os.sep):
            file.inclusion = InclusionLevel.INCLUDED
    return files


def on_page_markdown(markdown, page, config, files):
    """Links that lead to folders and sources on a code host lead to the pages made from them."""
    up = "../" * page.file.src_uri.count("/")

    def header(found):
        return f"]({up}api/{api_name(found.group(1))})" if found.group(1) else f"]({up}docs/api.md)"

    markdown = re.sub(r"\]\((?:\.\./)*include/clalign/?([a-z_]+\.h)?\)", header, markdown)
    markdown = re.sub(r"\]\((?:\.\./)*examples/?([a-z_]+\.(?:c|cc|py))?\)",
                      lambda found: f"]({up}examples/README.md" + (f"#{found.group(1).replace('.', '')}" if found.group(1) else "") + ")", markdown)
    def other(found):
        """A file of the tree goes along as it is; a folder is its README, or else only a word."""
        words, link = found.group(1), found.group(2)
        target = pathlib.Path(os.path.normpath(ROOT / page.file.src_uri / ".." / link))
        name = str(target.relative_to(ROOT)) if ROOT in target.parents else ""
        if not name or not target.exists() or files.get_file_from_path(name) and files.get_file_from_path(name).inclusion.is_included():
            return found.group(0)
        if target.is_dir():
            return f"[{words}]({link.rstrip('/')}/README.md)" if (target / "README.md").exists() else words
        if files.get_file_from_path(name):
            files.get_file_from_path(name).inclusion = InclusionLevel.INCLUDED
        else:
            files.append(File.generated(config, name, abs_src_path=str(target)))
        return found.group(0)

    return re.sub(r"\[([^\]\[]*)\]\(([^)#:\s]+)\)", other, markdown)
