for shell in bash zsh fish; do clalign help --completion $shell >$shell || exit; done
need_program groff
for command in "" $(clalign help | sed -n '/^commands/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
  # shellcheck disable=SC2086
  clalign help --man $command >page || exit
  for columns in 80 40; do
    # AD: groff 1.23 warns of lines of one word, which cannot be stretched to the margin
    groff -ww -man -Tutf8 -P-cbou -dAD=l -rLL=${columns}n page >formatted 2>complaints || exit
    [ ! -s complaints ] || fail "of the page of '$command' at $columns columns: $(cat complaints)"
    grep -q 'SEE ALSO' formatted || fail "nothing was formatted of '$command'"
  done
done
need_program zsh
zsh -n zsh || fail "zsh cannot read its completions"
need_program fish
HOME=$PWD fish --no-execute fish || fail "fish cannot read its completions"
HOME=$PWD fish -c 'source ./fish; complete -C "clalign align --mode "' | cut -f1 | sort | tr '\n' ' ' >words
[ "$(cat words)" = "extend global local overlap semi-global " ] || fail "fish offers $(cat words)"
HOME=$PWD fish -c 'source ./fish; complete -C "clalign align --lower-bound=o"' | cut -f1 | grep -qx -- --lower-bound=off ||
  fail "fish offers no word beside files"
