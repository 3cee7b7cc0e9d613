simulate_pair 1 400
for kind in svg png pdf; do
  clalign align --quiet --format cigar --save plain.cla --plot a.$kind q.fa t.fa >cigar || exit
done
clalign align --quiet --format cigar --save work.cla --save-work --plot b.svg q.fa t.fa | cmp - cigar || exit
# What show draws of a file with the work is what align drew; without it the areas are missing.
clalign show --format cigar --plot c.svg work.cla | cmp - cigar || exit
cmp b.svg c.svg || exit
clalign show --format cigar --plot d.svg plain.cla | cmp - cigar || exit
for name in b d; do
  grep -c '>computed by the sweep' $name.svg
  grep -o '>identity [^<]* columns[^<]*' $name.svg
done
# A plain file is the same whether something was drawn or not.
clalign align --quiet --format cigar --save same.cla q.fa t.fa | cmp - cigar || exit
cmp plain.cla same.cla || exit
clalign verify work.cla q.fa t.fa
clalign show --format cigar --plot e.svg --plot-region query:101-200 --plot-region target:90-210 work.cla | cmp - cigar || exit
grep -o '>1[05]0<' e.svg
grep -o 'Only a part[^<]*' e.svg
head -c 4 a.png | tail -c 3
echo
head -c 5 a.pdf
echo
list_files
