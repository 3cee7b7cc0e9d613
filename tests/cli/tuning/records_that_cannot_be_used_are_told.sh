simulate_pair 1 300
export CLALIGN_TUNING_PATH=
clalign align --quiet --format cigar q.fa t.fa >plain || exit
mkdir shipped
# Malformed: said in any case, and the run goes on.
export CLALIGN_TUNING_PATH=$PWD/shipped
shipped_record | head -n 8 >shipped/cut.txt
clalign align --quiet --format cigar q.fa t.fa | cmp - plain || exit
# Made with other kernels: said unless quiet.
shipped_record | sed 's/signature any/signature 0123456789abcdef/' >shipped/cut.txt
clalign align --quiet --format cigar q.fa t.fa | cmp - plain || exit
clalign predict --lengths 4,4
# A folder that is named and missing.
CLALIGN_TUNING_PATH=$PWD/nowhere clalign align --quiet --format cigar q.fa t.fa | cmp - plain || exit
# The user's own folder may be missing, or be none.
XDG_CONFIG_HOME=$PWD/q.fa CLALIGN_TUNING_PATH='' clalign align --quiet --format cigar q.fa t.fa | cmp - plain
