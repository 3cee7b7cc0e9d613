__author__ = "the clalign authors"
__license__ = "MIT"

import shlex

from snakemake.shell import shell

extra = snakemake.params.get("extra", "")
log = snakemake.log_fmt_shell(stdout=True, stderr=True)
memory = snakemake.resources.get("mem_mb", "")
memory = f"--memory {memory // 2}M" if isinstance(memory, int) else ""
outputs = " ".join(f"-o {shlex.quote(file)}" for file in snakemake.output)


def source(name):
    region = snakemake.params.get(f"{name}_region", "")
    return shlex.quote(snakemake.input[name] + (f":{region}" if region else ""))


shell("clalign align --threads {snakemake.threads} {memory} {extra} {outputs} " + f"{source('query')} {source('target')}" + " {log}")
