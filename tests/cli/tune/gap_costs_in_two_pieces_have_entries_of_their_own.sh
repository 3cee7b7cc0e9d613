export CLALIGN_TUNING_PATH=
two=(--gap-first2 24 --gap-ext2 1)
clalign tune --quiet --effort quick --pace 0.02 --lengths 700 --mode local --time-limit 1h "${two[@]}" || exit
record=$(find "$XDG_CONFIG_HOME/clalign/tuning" -name '*.txt')
grep -q '^local two-piece 700 ' "$record" || fail "no entry for two pieces"
! grep -q '^\(local\|global\) [0-9]' "$record" || fail "an entry of one piece"
clalign tune --show --lengths 700 "${two[@]}" >shown || exit
grep -q '^local  *700 .* user record .*, size 700\(: the default\)\{0,1\}$' shown || fail "the entry is not shown"
clalign tune --show --lengths 700 >shown || exit
! grep -q 'user record' shown || fail "what was measured with two pieces is used with one"
code_of clalign tune --gap-first2 24
code_of clalign tune --gap-first2 24 --gap-ext2 3
