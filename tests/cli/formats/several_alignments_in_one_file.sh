. "$CASES/formats.bash"
need_biopython
need_program samtools
simulate_pair 4 600
fasta twice "$(tail -n +2 t.fa | tr -d '\n')$(head -c 3000 /dev/zero | tr '\0' N)$(tail -n +2 t.fa | tr -d '\n' | cut -c 100-400)" >twice.fa
outputs_of out bam paf blast blast7 maf fasta chain srspair cla
clalign align --quiet --max-alignments 3 "${outputs[@]}" q.fa twice.fa || exit
wc -l <out.json
samtools quickcheck out.bam || fail quickcheck
samtools view -c out.bam
samtools view -c -F 256 out.bam
"$python" - <<'END' || fail "Biopython"
import json
from Bio import AlignIO
scores = [json.loads(line)["score"] for line in open("out.json")]
columns = [json.loads(line)["columns"] for line in open("out.json")]
for name, options in (("maf", {}), ("fasta", {"seq_count": 2})):
    found = [len(rows[0]) for rows in AlignIO.parse(f"out.{name}", name, **options)]
    assert found == columns, (name, found, columns)
assert [len(rows[0]) for rows in AlignIO.parse("out.srspair", "emboss")] == columns
chains = [line.split() for line in open("out.chain") if line.startswith("chain")]
assert [(float(chain[1]), int(chain[12])) for chain in chains] == [(score, k + 1) for k, score in enumerate(scores)]
END
grep '^# [0-9]' out.blast7
grep -v '^#' out.blast7 | cmp - out.blast
