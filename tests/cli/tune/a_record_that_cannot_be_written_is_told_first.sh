# Before anything is measured: a home that cannot be written, none at all, a damaged record, other kernels. The
# disk that is full is found out with the first class.
XDG_CONFIG_HOME=/proc/nowhere code_of clalign tune --quiet
touch file
XDG_CONFIG_HOME=$PWD/file code_of clalign tune --quiet
env -u XDG_CONFIG_HOME -u HOME clalign tune --quiet
echo "exit $?"
echo nonsense >damaged.txt
code_of clalign tune --quiet --output damaged.txt
CLALIGN_CL_PATH=$CASES/../../../cl code_of clalign tune --quiet
code_of clalign tune --quiet --effort quick --pace 0.02 --lengths 700 --mode local --output /dev/full
list_files
