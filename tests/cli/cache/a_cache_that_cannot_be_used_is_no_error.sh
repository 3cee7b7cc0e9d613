# No home, a file where the folder should be, damaged and foreign entries: the same result, and not a word.
simulate_pair 1 100
align() { clalign align --quiet --format cigar q.fa t.fa; }
align >wanted || exit

(unset HOME XDG_CACHE_HOME; align) | cmp wanted - && echo "no home"
mkdir blocked cache
ln -s "$XDG_CACHE_HOME/pocl" blocked/pocl # PoCL has a cache of its own there: less to wait for
ln -s "$XDG_CACHE_HOME/pocl" cache/pocl
touch blocked/clalign
XDG_CACHE_HOME=$PWD/blocked align | cmp wanted - && echo "a file in place of the folder"
[ ! -s blocked/clalign ] || fail "the file was written to"

export XDG_CACHE_HOME=$PWD/cache
align | cmp wanted - && echo "new"
entry=$(echo cache/clalign/*.program)
cp "$entry" good
head -c 1000 good >"$entry"
align | cmp wanted - && echo "truncated"
tail -c +2 good >"$entry"
align | cmp wanted - && echo "shifted"
rm "$entry"
mkfifo "$entry"
align | cmp wanted - && echo "a pipe"
rm "$entry"
mkdir "$entry"
align | cmp wanted - && echo "a folder"
rmdir "$entry"
align | cmp wanted - && [ -f "$entry" ] && echo "removed"
