# The canonical alignment: the same bytes however it is computed.
simulate_pair 7 6000
clalign align --quiet --save first.cla --format paf --output first.paf q.fa t.fa || exit
number=0
while read -r options; do
  number=$((number + 1))
  # shellcheck disable=SC2086
  clalign align --quiet --save next.cla --format paf --output next.paf $options q.fa t.fa || fail "$options"
  cmp first.cla next.cla || fail "$options"
  cmp first.paf next.paf || fail "$options"
done <<'END'
--special-rows 0
--special-rows 1
--special-rows 3
--special-rows 1000000
--memory 64M
--threads 1
--kernel group32
--kernel vector16
--kernel group32 --special-rows 2
END
echo "$number variants agree"
