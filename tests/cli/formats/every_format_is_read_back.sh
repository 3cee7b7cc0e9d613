# Biopython, samtools and bcftools read what was written; the path, its place and its score are the same in all.
. "$CASES/formats.bash"
need_biopython
need_program samtools
need_program bcftools
simulate_pair 3 1500
try_formats related q.fa t.fa "$every_format"
turned q.fa >r.fa
try_formats reverse r.fa:51-1400 t.fa:20-1450 "$every_format" --strand both
try_formats overlap q.fa:700-1500 t.fa:1-900 "$every_format" --mode overlap --gap-placement left
fasta q CCACGTACGRTTACCAGNTTGACCATGGATCCTTTAA >ends_q.fa
fasta t ACGTACGATTACCAGGTTGACCCATGGATCCTT >ends_t.fa
try_formats inserted ends_q.fa ends_t.fa "$every_format" --mode global
try_formats deleted ends_t.fa ends_q.fa "$every_format" --mode global
try_formats inside ends_t.fa ends_q.fa:2-36 "$every_format" --mode global
try_formats linear q.fa:1-400 t.fa:11-400 "$every_format" --mode global --match 2 --mismatch -1 --gap-first 1 --gap-ext 1
try_formats thousandths q.fa t.fa "$every_format" --match 0.5 --mismatch -0.625 --gap-first 2.25 --gap-ext 1
try_formats pieces q.fa t.fa "$every_format" --mode extend --gap-first2 9 --gap-ext2 1
try_formats neutral ends_q.fa ends_t.fa "$every_format" --mode semi-global --ambiguity neutral --gap-placement right
fasta p "MKVLAAGIVGLCAKAYLERHEFDRWQSTNPMVKLHAAGTRE" >p.fa
fasta s "MKVLSAGIVGLCKAYLERHEFDRWQBTNPMMVKLHAAGTRX*A" >s.fa
try_formats protein p.fa s.fa "$protein_formats"
try_formats proteins_whole p.fa s.fa "$protein_formats" --mode global
fasta "q'\"é|ü" "$(tail -n +2 q.fa | tr -d '\n' | cut -c 1-300)" >names_q.fa
fasta 't,"<é>=*;x' "$(tail -n +2 t.fa | tr -d '\n' | cut -c 5-320)" >names_t.fa
try_formats names names_q.fa names_t.fa "$every_format"
fasta a AAAA >a.fa
fasta c CCCC >c.fa
try_formats empty a.fa c.fa "$every_format"
