for program in xmllint rsvg-convert pdftotext; do need_program $program; done
clalign simulate --output-query q.fa --output-target t.fa --length 3000 --query-name 'a<b>&"c"_ü☃' --target-name "it's_]]>" || exit
for kind in svg png pdf; do
  clalign align --quiet --format cigar --plot a.$kind q.fa t.fa >cigar || exit
done
xmllint --noout a.svg || exit
xmllint --xpath 'string(//*[local-name()="text"][1])' a.svg
rsvg-convert a.svg >converted.png || exit
head -c 4 converted.png | tail -c 3
echo
pdftotext -layout a.pdf - | grep -o 'query a<b>&"c"_ü' || fail "the PDF does not name the query"
pdftotext a.pdf - | grep -o 'identity in windows of 20 bp of the target'
