# shellcheck shell=bash
# Read in by the cases of this folder.

# t.fa and q.fa: of five T the query has three, of four C five; it has A for GT, which is GT against A and a gap in two
# ways; at letter 46 of the target it has G for A. So there are 4 x 5 x 2 best alignments of 12 letters that move.
certain_pair() {
  fasta t ACGTTTTTACGATTACACCCCAGATTGCATTGACCGTCTGATGCTACAGGCTTAGCATG >t.fa
  fasta q ACGTTTACGATTACACCCCCAGATTGCATTGACCACTGATGCTGCAGGCTTAGCATG >q.fa
}
certify() { clalign align --quiet --mode global --certify "$@" q.fa t.fa || fail "align $*"; }
