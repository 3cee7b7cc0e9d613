# Where no --output says otherwise, the record goes where alignments look for it, and --show says so.
clalign tune --quiet --effort quick --pace 0.02 --lengths 700 --mode local --time-limit 1h || exit
find "$XDG_CONFIG_HOME" -type f -printf '%P\n' | grep -c '^clalign/tuning/.*\.txt$'
clalign tune --show --lengths 700 >shown || exit
grep -q '^local  *700 .* user record .*, size 700\(: the default\)\{0,1\}$' shown || fail "the record is not shown"
# Global alignments are not served by what was measured for local ones.
! grep '^global ' shown | grep -q 'user record' || fail "a record of local mode is used for global"
grep '^global ' shown | grep -q 'default' || fail "no default is shown"
simulate_pair 1 700
clalign align --explain --format cigar --output /dev/null q.fa t.fa 2>plan || exit
grep -c 'user record' plan
