for shell in bash zsh fish; do clalign help --completion $shell >$shell || exit; done
{ clalign help --man && clalign help --man align && clalign help --man tune; } >pages || exit
need_program groff
[ -z "$(groff -ww -man -Tutf8 pages 2>&1 >formatted)" ] || fail "$(groff -ww -man -Tutf8 pages 2>&1 >/dev/null)"
grep -q 'two sequences exactly' formatted || fail "nothing was formatted"
need_program zsh
zsh -n zsh || fail "zsh cannot read its completions"
need_program fish
HOME=$PWD fish --no-execute fish || fail "fish cannot read its completions"
HOME=$PWD fish -c 'source ./fish; complete -C "clalign align --mode "' | cut -f1 | sort | tr '\n' ' ' >words
[ "$(cat words)" = "extend global local overlap semi-global " ] || fail "fish offers $(cat words)"
