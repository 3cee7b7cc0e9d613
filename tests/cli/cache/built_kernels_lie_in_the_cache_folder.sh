# By the XDG Base Directory Specification: XDG_CACHE_HOME if it is absolute, else HOME/.cache.
simulate_pair 1 100
export HOME=$PWD/home
align() { clalign align --quiet --format cigar q.fa t.fa; }
entries() { find "$1" -name '*.program' | wc -l; }

XDG_CACHE_HOME=$PWD/xdg align >first || exit
echo "XDG_CACHE_HOME: $(entries xdg/clalign)"
[ ! -e home/.cache/clalign ] || fail "HOME was used as well"

XDG_CACHE_HOME=relative align >second || exit
echo "HOME: $(entries home/.cache/clalign)"
[ ! -e relative/clalign ] || fail "a relative folder was used"
cmp xdg/clalign/*.program home/.cache/clalign/*.program >differ # the binaries may differ, the names may not
[ "$(ls xdg/clalign)" = "$(ls home/.cache/clalign)" ] || fail "other names"

stamp=$(stat -c %y%i xdg/clalign/*.program)
XDG_CACHE_HOME=$PWD/xdg align >third || exit
[ "$(stat -c %y%i xdg/clalign/*.program)" = "$stamp" ] || fail "written again"
cmp first second && cmp first third
