make() { clalign simulate --output-query a.fa --output-target b.fa "$@" || fail "$*"; }
letters() { grep -v '>' "$1" | tr -d '\n' | wc -c; }
make --length 1000 --substitution-rate 0 --indel-rate 0 --query-name long_name.1 --target-name other
cmp <(tail -n +2 a.fa) <(tail -n +2 b.fa) && head -n 1 a.fa
make --length 1000 --substitution-rate 0 --indel-rate 0 --long-insertions 3 --long-insertion-length 200
letters b.fa
make --length 1k --unrelated
letters b.fa
make --length 500 --protein
grep -v '>' a.fa | grep -q '[EFILPQ]' && echo protein
make --length 0
wc -l <a.fa
make --length 1000 --substitution-rate 0 --indel-rate 0 --inversions 1 --inversion-length 400
part() { tail -n +2 "$1" | tr -d '\n' | cut -c 301-700; }
[ "$(part b.fa)" = "$(part a.fa | rev | tr ACGT TGCA)" ] || fail "no inversion"
