# PoCL finds no device without a folder for built kernels: it gets a temporary one, of which nothing is left.
simulate_pair 1 300
clalign align --quiet --format cigar q.fa t.fa >wanted || exit
mkdir temporary
export TMPDIR=$PWD/temporary
unset XDG_CACHE_HOME POCL_CACHE_DIR
left() { [ -z "$(ls -A temporary)" ] || fail "left behind $1: $(ls -A temporary)"; }
homeless() { HOME=/proc/nowhere clalign "$@"; }

homeless devices >devices && [ -s devices ] && echo "devices"
homeless align --quiet --format cigar --output home q.fa t.fa &
XDG_CACHE_HOME=/proc/nowhere clalign align --quiet --format cigar --output cache q.fa t.fa &
wait
cmp wanted home && cmp wanted cache && echo "aligned"
left "by results"
code_of homeless align --quiet --device 99 q.fa t.fa
left "by an error"

clalign simulate --unrelated --seed 1 --length 1M --output-query long_q.fa --output-target long_t.fa || exit
HOME=/proc/nowhere "$(readlink -f "$(command -v clalign)")" align --quiet --score-only --output out long_q.fa long_t.fa 2>/dev/null &
long=$!
for _ in $(seq 1200); do
  [ -n "$(ls -A temporary)" ] && break
  sleep 0.05
done
[ -n "$(ls -A temporary)" ] || fail "no temporary folder"
kill -TERM $long
wait $long
echo "signal $?"
left "by a signal"

# A folder that was asked for stays what it is.
mkdir own
HOME=/proc/nowhere POCL_CACHE_DIR=$PWD/own clalign devices | cmp devices - || exit
POCL_CACHE_DIR=/proc/nowhere/own code_of clalign align --quiet q.fa t.fa
POCL_CACHE_DIR=/proc/nowhere/own code_of clalign devices
