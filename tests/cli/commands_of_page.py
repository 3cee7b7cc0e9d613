"""Runs the commands of a page of docs/, those behind `$ `, and prints what differs from what the page says, and their number.

commands_of_page.py FILE.md      a line ... stands for any lines; of fill and audit numbers may be others
"""

import re
import subprocess
import sys

page = open(sys.argv[1], encoding="utf-8").read()
commands = 0
for block in re.findall(r"^```\n(.*?)^```$", page, flags=re.M | re.S):
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command = re.match(r"(?:.*\\\n)*.*\n", part)[0]
        told = part[len(command):].splitlines()
        done = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        printed = done.stdout.splitlines()
        if re.match(r"clalign (fill|audit)", command):
            told, printed = ([re.sub(r"[0-9][0-9.]*", "N", line) for line in lines] for lines in (told, printed))
        pattern = "".join("(?:.*\n)*" if line == "..." else re.escape(line) + "\n" for line in told)
        text = "".join(line + "\n" for line in printed)
        if done.returncode or not re.fullmatch(pattern, text):
            print(command, done.returncode, text, sep="\n")
        commands += 1
print(commands, "commands")
