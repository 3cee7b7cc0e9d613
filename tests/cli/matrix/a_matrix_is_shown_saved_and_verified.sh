fasta q MKVLAWQEFPMKVLAWQEFP >q.fa
fasta t MKVLAWEEFPMKVIAWQEFP >t.fa
set -f # the last letter is an asterisk
letters='A B C D E F G H I K L M N P Q R S T V W X Y *'
{
  printf '# mine\n   %s\n' "$letters"
  for row in $letters; do
    printf '%s' "$row"
    for column in $letters; do if [ "$row" = "$column" ]; then printf ' 7'; else printf ' -2'; fi; done
    echo
  done
} >mine.txt
clalign align --quiet --matrix mine.txt --save a.cla --format json q.fa t.fa >out.json || exit
json .type .score '.scoring | .match, .mismatch, .gap_first, .gap_ext, .ambiguity, .matrix.name, .matrix.letters' \
  '.scoring.matrix.scores | length, .[0][0], .[0][1]' out.json
rm mine.txt
clalign show --format json a.cla >shown.json || exit
json .score .type .scoring.matrix.name '.scoring.matrix.scores[3][3]' shown.json
clalign show a.cla | grep -E '^# (Matrix|Gap|Extend|Identity|Similarity|Score)'
clalign verify a.cla q.fa t.fa
clalign align --quiet --save b.cla --format cigar q.fa t.fa && clalign verify b.cla q.fa t.fa
clalign show b.cla | grep -E '^# (Matrix|Gap|Extend|Similarity|Score)|^ +[|]'
fasta d ACGTNACGT >d.fa
clalign align --quiet --ambiguity expected --save d.cla --format cigar d.fa d.fa && clalign show --format json d.cla >d.json
json .score .type .scoring.ambiguity .scoring.matrix d.json
printf '2 1 0\n2 1 0 0\n1 0 1 0\n0 0 0 1\n' >own.txt
fasta x 21120 >x.fa
fasta y 2112 >y.fa
clalign align --quiet --matrix own.txt --save o.cla --format cigar x.fa y.fa
clalign show --format json o.cla >o.json && json .type .score .scoring.matrix.letters .cigar o.json
clalign verify o.cla x.fa y.fa
clalign align --matrix own.txt --format paf --output o.paf x.fa y.fa
