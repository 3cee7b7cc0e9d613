code_of clalign bench 300
code_of clalign bench --sizes 0
code_of clalign bench --sizes 10q
code_of clalign bench --sizes 10k,,20k
code_of clalign bench --sizes 10kx
code_of clalign bench --sizes 1kx2kx3k
code_of clalign bench --sizes -5
code_of clalign bench --sizes 2001M
code_of clalign bench --sizes 99999999999999999999
code_of clalign bench --modes banded
code_of clalign bench --modes local,local
code_of clalign bench --relation cousins
code_of clalign bench --kernels group23
code_of clalign bench --kernels default,nonsense
code_of clalign bench --kernels group32,group32
code_of clalign bench --kernels all,group32
code_of clalign bench --kernels default --set speed=3
code_of clalign bench --kernels all --quiet --set speed=3
code_of clalign bench --set tile
code_of clalign bench --repeat 0
code_of clalign bench --repeat 100
code_of clalign bench --peer-limit 5k
code_of clalign bench --peer --peer-limit 0
code_of clalign bench --device nonsense
