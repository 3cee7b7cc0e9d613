fasta q ACGT >q.fa
export CLALIGN_TUNING_PATH=
code_of clalign predict q.fa q.fa
code_of clalign predict --lengths 4,4
mkdir empty
CLALIGN_TUNING_PATH=$PWD/empty code_of clalign predict --json --lengths 4,4
shipped_record >empty/any.txt
CLALIGN_TUNING_PATH=$PWD/empty code_of clalign predict --set tile=64 --lengths 4000,4000
