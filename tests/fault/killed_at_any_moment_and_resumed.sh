. "$CASES/kills.bash"
kill_every_kind 5 30000 20000 100000
