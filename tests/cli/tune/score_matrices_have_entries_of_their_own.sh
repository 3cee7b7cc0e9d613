# A matrix may come through a pipe, though two processes need it.
letters=ARNDCQEGHILKMFPSTWYV
matrix() {
  local x y
  sed 's/./ &/g' <<<$letters
  for x in $(grep -o . <<<$letters); do
    printf %s "$x"
    for y in $(grep -o . <<<$letters); do printf ' %d' "$([ "$x" = "$y" ] && echo 5 || echo -1)"; done
    echo
  done
}
export CLALIGN_TUNING_PATH=
clalign tune --quiet --effort quick --pace 0.02 --lengths 700 --mode local --time-limit 1h --matrix <(matrix) || exit
record=$(find "$XDG_CONFIG_HOME/clalign/tuning" -name '*.txt')
grep -q '^local matrix 700 ' "$record" || fail "no entry for matrices"
! grep -q '^\(local\|global\) [0-9]' "$record" || fail "an entry of match and mismatch"
clalign tune --show --lengths 700 --type protein >shown || exit
grep -q '^local  *700 .* user record .*, size 700\(: the default\)\{0,1\}$' shown || fail "the entry is not shown"
clalign tune --show --lengths 700 >shown || exit
! grep -q 'user record' shown || fail "what was measured for matrices is used without one"
clalign predict --lengths 700,1k --type protein | grep -c '^sweep'
clalign predict --lengths 700,1k --matrix EDNAFULL --strand both | grep '^pair'
code_of clalign predict --lengths 700,1k
