. "$CASES/kills.bash"
kill_every_kind 40 40000 30000 200000
