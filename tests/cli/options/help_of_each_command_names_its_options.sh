for command in align batch resume predict show verify devices tune bench simulate help version; do
  clalign help $command >by_help || exit
  clalign $command --help | cmp by_help - || fail "help of $command"
  head -n 1 by_help
done
clalign align --help
