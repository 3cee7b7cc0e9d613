clalign bench --quiet --json --sizes 3k --kernels group32,vector16 --repeat 1 --set lanes=32 --set alpha=4,tile=64 >set.json || exit
jq -r '[.kernel, .mode, .lanes, .lane_rows, .tile_columns] | join(" ")' set.json
clalign bench --quiet --sizes 300 --modes local --kernels group32 --repeat 1 --set alpha=4 --set tile=64 | grep '^set'
