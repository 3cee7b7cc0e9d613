code_of clalign bench --batch 0
code_of clalign bench --timeline x.svg
code_of clalign bench --batch 5 --sizes 1k
code_of clalign bench --batch 5 --kernels all
code_of clalign bench --batch 5 --relation both
code_of clalign bench --batch 5 --modes local,global
code_of clalign bench --batch 2 --repeat 1 --quiet --json --timeline /nowhere/x.svg >out
tail -n 1 out
