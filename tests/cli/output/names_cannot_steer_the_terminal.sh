printf '>q\033[31m\nACGTTGCATTACGG\n' >q.fa
printf '>t\177\007\nACGTTGCATTACGG\n' >t.fa
clalign align --save a.cla --format cigar q.fa t.fa || exit
clalign verify a.cla q.fa t.fa || exit
clalign align --quiet --score-only --save b.cla --format json --output b.json q.fa t.fa || exit
clalign verify b.cla q.fa t.fa
