simulate_pair 1 300
clalign align --quiet --format cigar q.fa t.fa >plain || exit
clalign align --quiet --explain --format cigar q.fa t.fa 2>plan | cmp plain - || exit
grep -q -i kernel plan || { cat plan; fail "no kernel in the plan"; }
grep -q -i memory plan || { cat plan; fail "no memory in the plan"; }
