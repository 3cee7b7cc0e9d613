simulate_pair 1 3000
clalign align --quiet --format cigar --run-dir run --plot a.svg q.fa t.fa >cigar || exit
grep -o '>computed by the sweep (100 %)<' a.svg
rm a.svg
# The plot is one of the run's outputs; how the finished sweep went is not known any more.
clalign resume --quiet run | cmp - cigar || exit
grep -o '>swept before the run was resumed<' a.svg
rm a.svg
clalign resume --quiet --plot b.svg --plot-region query:1-100 run >/dev/null
grep -o '>Only a part[^<]*<' b.svg
list_files | grep svg
