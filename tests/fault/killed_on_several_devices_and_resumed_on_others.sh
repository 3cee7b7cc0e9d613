. "$CASES/kills.bash"
ways=("" "--device 0" "--device 0,0 --kernel vector8" "--device 0,0,0,0 --threads 1" "--device 0,0 --kernel vector16"
  "--special-rows 9" "--lower-bound off" "--set launch=persistent")
kill_and_resume 3 20000 "${slow[@]}" --device 0,0,0
rm -rf ./*
relation=()
kill_and_resume 2 60000 --kernel vector32 --set launch=diagonals --set tile=64 --device 0,0
