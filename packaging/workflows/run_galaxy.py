#!/usr/bin/env python3
"""Runs the tests of a Galaxy tool without a server: run_galaxy.py TOOL.xml, with planemo's libraries.

Each test's parameters go into the command template; bash runs the command in an empty folder; then Galaxy's own assertions
read the outputs. Filters of outputs are evaluated, and the number of outputs compared."""

import os
import pathlib
import subprocess
import sys
import tempfile

from Cheetah.Template import Template
from galaxy.tool_util.parser import get_tool_source
from galaxy.tool_util.verify.asserts import verify_assertions
from galaxy.util import parse_xml_string_to_etree

tool = pathlib.Path(sys.argv[1]).resolve()
source = get_tool_source(str(tool))
root = source.root


def value_of(param, given):
    """A parameter's value as a test or the default has it."""
    if given is None:
        if param.get("type") == "select":
            chosen = [option.get("value") for option in param.findall("option") if option.get("selected") == "true"]
            given = ",".join(chosen)
            if not given and param.get("optional") != "true":
                given = param.find("option").get("value")
        else:
            given = param.get("value", "")
    if param.get("type") == "data":
        return str(tool.parent / "test-data" / given)
    if param.get("multiple") == "true":
        return given.split(",")
    if param.get("type") == "select" and given:
        assert given in [option.get("value") for option in param.findall("option")], f"no option {given}"
    return given


count = 0
for test in root.find("tests").findall("test"):
    given = {param.get("name"): param.get("value") for param in test.findall("param")}
    values = {}
    for param in root.find("inputs").iter("param"):
        name = param.get("name") or param.get("argument").lstrip("-").replace("-", "_")
        values[name] = value_of(param, given.pop(name, None))
    assert not given, f"unknown parameters {given}"
    command = str(Template(source=source.parse_command(), searchList=[values])).replace("\n", " ")
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{tool.name}: exit {done.returncode}: {command}\n{done.stderr}")
        outputs = {data.get("name"): data for data in root.find("outputs").findall("data")
                   if all(eval(item.text, {}, dict(values)) for item in data.findall("filter"))}
        assert len(outputs) == int(test.get("expect_num_outputs")), sorted(outputs)
        for output in test.findall("output"):
            data = outputs[output.get("name")]
            content = pathlib.Path(folder, data.get("from_work_dir")).read_bytes()
            assertions = output.find("assert_contents")
            from galaxy.tool_util.parser.xml import __parse_assert_list_from_elem as parse
            verify_assertions(content, parse(assertions))
            count += 1
print(f"{tool.name}: {count} outputs checked")
