simulate_pair 1 50
printf 'q.fa\tt.fa\n' >pairs.tsv
code_of clalign batch
code_of clalign batch q.fa t.fa
code_of clalign batch --pairwise q.fa
code_of clalign batch --pairwise --all-vs-all q.fa t.fa
code_of clalign batch --pairwise --top 1 q.fa t.fa
code_of clalign batch --pairwise - -
code_of clalign batch --score-only --format paf pairs.tsv
code_of clalign batch --format cla --output all.cla pairs.tsv
code_of clalign batch --max-alignments 2 --mode global pairs.tsv
code_of clalign batch --max-alignments 2 --format vcf pairs.tsv
code_of clalign batch --max-alignments 2 --score-only pairs.tsv
code_of clalign batch --score-only --gap-placement left pairs.tsv
code_of clalign batch --schedule fast pairs.tsv
code_of clalign batch --run-dir run -
code_of clalign batch --run-dir run --top 1 --as-finished pairs.tsv
code_of clalign batch --output pairs.tsv pairs.tsv
code_of clalign batch --quiet --device 0, pairs.tsv
code_of clalign batch --quiet --device other pairs.tsv
mkdir full && touch full/mine
code_of clalign batch --run-dir full pairs.tsv
list_files
