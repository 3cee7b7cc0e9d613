fasta q ACGTACGTAC >q.fa
mkdir folder
code_of clalign align --plot a.bmp q.fa q.fa
code_of clalign align --plot plot q.fa q.fa
code_of clalign align --plot folder/no/a.png q.fa q.fa
code_of clalign align --plot - q.fa q.fa
code_of clalign align --plot a.svg --save a.svg q.fa q.fa
code_of clalign align --plot-region query:1-5 q.fa q.fa
code_of clalign align --plot a.svg --plot-region 1-5 q.fa q.fa
code_of clalign align --plot a.svg --plot-region query:5-1 q.fa q.fa
code_of clalign align --plot a.svg --plot-region query:0-5 q.fa q.fa
code_of clalign align --plot a.svg --plot-region query:1-5x q.fa q.fa
code_of clalign align --plot a.svg --plot-region query:1-99999999999999999999 q.fa q.fa
code_of clalign align --plot a.svg --plot-region query:1-2 --plot-region query:3-4 q.fa q.fa
code_of clalign align --plot a.svg --plot-region query:1-11 q.fa q.fa
code_of clalign align --plot a.svg --plot-region target:1-3 q.fa q.fa:q:5-9
code_of clalign align --save-work q.fa q.fa
list_files
code_of clalign align --quiet --format cigar --min-score 100 --plot a.svg q.fa q.fa
list_files
