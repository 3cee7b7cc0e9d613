simulate_pair 1 3000
mkdir shipped
export CLALIGN_TUNING_PATH=$PWD/shipped
shipped_record >shipped/any.txt
clalign align --quiet --kernel group32 --format cigar q.fa t.fa >group32 || exit
clalign align --quiet --explain --format cigar q.fa t.fa 2>plan | cmp - group32 || exit
grep -E '^(kernel|strips|launch|time)' plan | sed -E 's/^kernel.*\((shipped.*)\)$/kernel     \1/; s/(traceback about) .*/\1/'
clalign align --quiet --explain --set launch=diagonals --set tile=64,lanes=16 --format cigar q.fa t.fa 2>plan |
  cmp - group32 || exit
grep -E '^(kernel|strips|launch|time)' plan | sed -E 's/^kernel.*\((shipped.*)\)$/kernel     \1/; s/(traceback about) .*/\1/'
