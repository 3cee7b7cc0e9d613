need_program needle
fasta hba MVLSPADKTNVKAAWGKVGAHAGEYGAEALERMFLSFPTTKTYFPHFDLSHGSAQVKGHGKKVADALTNAVAHVDDMPNALSALSDLHAHKLRVDPVNFKLLSHCLLVTLAAHLPAEFTPAVHASLDKFLASVSTVLTSKYR >a.fa
fasta hbb MVHLTPEEKSAVTALWGKVNVDEVGGEALGRLLVVYPWTQRFFESFGDLSTPDAVMGNPKVKAHGKKVLGAFSDGLAHLDNLKGTFATLSELHCDKLHVDPENFRLLGNVLVCVLAHHFGKEFTPPVQAAYQKVVAGVANALAHKYH >b.fa
fasta x MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVKALPDAQFEVVHSLAKWKRQTLGQHDFSAGEGLYTHMKALRPDEDRLSPLHSVYVDQWDWE >c.fa
compare() {
  local query=$1 target=$2 name=$3 file=$4 first=$5 ext=$6
  water -asequence "$query" -bsequence "$target" -datafile "$file" -gapopen "$first" -gapextend "$ext" \
    -outfile water.txt -auto || exit
  needle -asequence "$query" -bsequence "$target" -datafile "$file" -gapopen "$first" -gapextend "$ext" -endweight \
    -endopen "$first" -endextend "$ext" -outfile needle.txt -auto || exit
  for mode in local:water global:needle; do
    clalign align --quiet --mode ${mode%:*} --matrix "$name" --gap-first "$first" --gap-ext "$ext" --format json \
      "$query" "$target" >out.json || exit
    theirs=$(sed -n 's/^# Score: \([-0-9]*\).*/\1/p' ${mode#*:}.txt)
    [ "$theirs" = "$(json .score out.json)" ] ||
      fail "$name: ${mode#*:} has $theirs, clalign $(json .score out.json)"
  done
}
for size in 45 50 62 80 90; do
  compare a.fa b.fa BLOSUM$size EBLOSUM$size 12 1
  compare a.fa c.fa BLOSUM$size EBLOSUM$size 10 10
done
for size in 30 70 250; do
  compare b.fa c.fa PAM$size EPAM$size 14 2
done
# DNA with ambiguous letters; and a file of EMBOSS instead of a name.
simulate_pair 5 800
sed '2s/A/R/3;2s/C/N/5;3s/G/K/2' q.fa >n.fa
compare n.fa t.fa EDNAFULL EDNAFULL 10 1
emboss=/usr/share/EMBOSS/data
[ -r $emboss/EBLOSUM62 ] && compare a.fa b.fa $emboss/EBLOSUM62 EBLOSUM62 11 2
# Identity and similarity as needle counts them.
needle -asequence a.fa -bsequence b.fa -gapopen 12 -gapextend 1 -endweight -endopen 12 -endextend 1 -outfile needle.txt -auto
clalign align --quiet --mode global --format pair a.fa b.fa >pair.txt
for key in Identity Similarity; do
  [ "$(grep "^# $key" pair.txt)" = "$(grep "^# $key" needle.txt)" ] || fail "$key differs"
done
echo agreed
