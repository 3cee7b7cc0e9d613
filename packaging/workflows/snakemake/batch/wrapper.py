__author__ = "the clalign authors"
__license__ = "MIT"

import shlex

from snakemake.shell import shell

extra = snakemake.params.get("extra", "")
log = snakemake.log_fmt_shell(stdout=True, stderr=True)
memory = snakemake.resources.get("mem_mb", "")
memory = f"--memory {memory // 2}M" if isinstance(memory, int) else ""
outputs = " ".join(f"-o {shlex.quote(file)}" for file in snakemake.output)
regions = snakemake.input.get("regions", "")
pairs = f"--regions {shlex.quote(regions)}" if regions else snakemake.params.get("pairs", "--all-vs-all")
sources = " ".join(shlex.quote(file) for file in (snakemake.input["query"], snakemake.input.get("target", "")) if file)

shell("clalign batch --threads {snakemake.threads} {memory} {pairs} {extra} {outputs} {sources} {log}")
