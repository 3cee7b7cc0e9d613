clalign simulate --seed 42 --length 5000 --output-query a.fa --output-target b.fa || exit
clalign simulate --seed=42 --length=5000 --output-query=c.fa --output-target=d.fa || exit
cmp a.fa c.fa || exit
cmp b.fa d.fa || exit
clalign simulate --seed 43 --length 5000 --output-query c.fa --output-target d.fa || exit
cmp -s a.fa c.fa && fail "another seed gives the same letters"
sed -n 1p a.fa b.fa
head -n 1 b.fa
awk 'NR > 1 { if (length($0) > 60) print "a long line"; n += length($0) } END { print n }' a.fa
grep -v '>' a.fa b.fa | cut -d : -f 2 | fold -w 1 | sort -u | xargs
stat -c %a a.fa | sed 's/6[046][046]/readable/'
list_files
