# Copies of the kernels: one that answers wrongly, one that never ends, one that ends its process, one that does
# not build. Tuning goes on with the others and says what became of how many.
clalign devices --format json >devices
[ "$(jq -r .kind devices | head -n 1)" = cpu ] || skip "the first device is no CPU"
kernels=$CASES/../../../cl

# with NAME FILE SED: kernels in folder NAME, FILE changed by SED. FAULT is set for vector16 alone.
with() {
  mkdir "$1"
  cp "$kernels"/*.cl "$kernels"/*.clh "$1"
  sed -i 's/#include "vector.clh"/#define FAULT\n&/' "$1/vector16.cl"
  sed -i "$3" "$1/$2"
  ! cmp -s "$1/$2" "$kernels/$2" || fail "$2 is as it was"
}
# at_start CODE: a sed script that puts code at the start of a tile.
at_start() {
  echo "s/^static void compute_tile(.*{\$/&\n#ifdef FAULT\n$1\n#endif/"
}
with wrong vector_lanes.clh "s/s->e\\[a\\] - c->ext/s->e[a] - LONGER/"
sed -i '1i #ifdef FAULT\n#define LONGER c->first\n#else\n#define LONGER c->ext\n#endif' wrong/vector.clh
with endless vector.clh "$(at_start 'volatile int forever = 1; while (forever) {}')"
with crashing vector.clh "$(at_start '*(volatile int *)8 = 1;')"
with broken vector.clh "$(at_start 'this is not OpenCL')"

# The endless one last: the others are built by then, and what is slow to build does not count as hanging.
for kind in wrong crashing broken endless; do
  limit=60
  [ $kind = endless ] && limit=6
  CLALIGN_CL_PATH=$kind clalign tune --quiet --effort quick --pace 0.02 --lengths 700 --mode local \
    --time-limit 1h --hang-limit $limit --output $kind.txt 2>log
  echo "$kind: exit $?"
  # "N candidates skipped: N do not build, N the device refused, N gave wrong results, N hung, N crashed"
  case $kind in
    wrong) grep -Ec '[1-9][0-9]* gave wrong' log ;;
    endless) grep -Ec '[1-9][0-9]* hung' log ;;
    crashing) grep -Ec '[1-9][0-9]* crashed' log ;;
    broken) grep -Ec '[1-9][0-9]* do not build' log ;;
  esac
  grep -c '^local 700 vector16 ' $kind.txt
  grep -Eq '^local 700 ' $kind.txt || fail "no kernel is left"
done
