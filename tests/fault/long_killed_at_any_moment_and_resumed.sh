. "$CASES/kills.bash"
kill_and_resume 40 40000 "${slow[@]}"
rm -rf ./*
kill_and_resume 40 30000 --mode global "${slow[@]}"
rm -rf ./*
# Most of it is passed over: rows have gaps.
relation=()
kill_and_resume 40 200000 --kernel vector32 --set launch=diagonals --set tile=64
