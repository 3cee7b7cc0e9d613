fasta q ACGT >q.fa
code_of clalign predict
code_of clalign predict q.fa
code_of clalign predict --lengths 4,4 q.fa q.fa
code_of clalign predict --lengths 4
code_of clalign predict --lengths 4,
code_of clalign predict --lengths 4,4,4
code_of clalign predict --lengths 0,4
code_of clalign predict --lengths 4x,4
code_of clalign predict --lengths 9999999999G,4
code_of clalign predict --lengths 4G,4
code_of clalign predict --json=xml q.fa q.fa
code_of clalign predict --gap-first 1 --gap-ext 2 q.fa q.fa
code_of clalign predict --kernel nosuch q.fa q.fa
code_of clalign predict nosuch.fa q.fa
mkdir shipped
shipped_record >shipped/any.txt
export CLALIGN_TUNING_PATH=$PWD/shipped
code_of clalign predict --lengths 1k,2k --matrix BLOSUM62
code_of clalign predict --lengths 1k,2k --ambiguity neutral
code_of clalign predict --lengths 1k,2k --type protein --strand both
code_of clalign predict --lengths 1k,2k --strand sideways
code_of clalign predict --lengths 1k,2k --type protein --ambiguity neutral
