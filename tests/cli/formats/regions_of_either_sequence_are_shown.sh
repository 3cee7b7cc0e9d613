# A region's alignment is the part of the whole that pairs its letters; all formats have it, and it is verified.
. "$CASES/formats.bash"
need_biopython
need_program samtools
need_program bcftools
simulate_pair 5 1500
turned q.fa >r.fa
clalign align --quiet --format cigar --output /dev/null --save forward.cla q.fa t.fa || exit
clalign align --quiet --format cigar --output /dev/null --save reverse.cla --strand reverse r.fa t.fa || exit
part() {
  local name=$1 file=$2 region=$3 query=$4
  # shellcheck disable=SC2086
  outputs_of "$name" $every_format
  clalign show --region "$region" "${outputs[@]}" "$file" || exit
  # shellcheck disable=SC2086
  read_back "$name" "$query" t.fa $every_format
  clalign verify "$name.cla" "$query" t.fa | sed 's/.*, //'
}
part of_query forward.cla query:201-450 q.fa
part of_target forward.cla target:1,001- q.fa
part of_turned_query reverse.cla query:201-450 r.fa
part of_turned_target reverse.cla target:201-450 r.fa
# What is cut out of a part is what is cut out of the whole.
clalign show --region target:300-400 --format cigar forward.cla >first || exit
clalign show --region target:250-420 --format cla forward.cla >part.cla || exit
clalign show --region target:300-400 --format cigar part.cla | cmp first - || exit
try() { code_of clalign show --format cigar --region "$@"; }
try query:0-5 forward.cla
try query:9-5 forward.cla
try 5-9 forward.cla
try target:5 forward.cla
try target:1400-1501 forward.cla
try target:500-600 of_query.cla
clalign align --quiet --score-only --save score.cla q.fa t.fa >/dev/null || exit
try target:1-9 score.cla
fasta circle "$(tail -n +2 t.fa | tr -d '\n' | sed 's/^\(.\{700\}\)\(.*\)/\2\1/')" >circle.fa
clalign align --quiet --format cigar --output /dev/null --save circle.cla --circular target q.fa circle.fa || exit
try target:1-9 circle.cla
