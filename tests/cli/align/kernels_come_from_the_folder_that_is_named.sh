# A folder of kernel files replaces the built-in ones; a broken one is reported with the compiler's words.
simulate_pair 1 100
mkdir good bad
cp "$CASES"/../../../cl/*.cl "$CASES"/../../../cl/*.clh good
cp good/* bad
for file in bad/*.cl; do echo 'this is not OpenCL' >"$file"; done
clalign align --quiet --format cigar q.fa t.fa >built_in || exit
CLALIGN_CL_PATH=good clalign align --quiet --format cigar q.fa t.fa >from_folder || exit
cmp built_in from_folder || exit
CLALIGN_CL_PATH=bad clalign align --quiet --format cigar q.fa t.fa
