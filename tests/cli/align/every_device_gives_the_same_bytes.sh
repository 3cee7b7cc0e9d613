# rusticl takes minutes to compile the kernels for CPUs, which it gets by itself (the long test of the same name): a
# kernel for GPUs here.
. "$CASES/devices.bash"
compare_devices --kernel wave32
