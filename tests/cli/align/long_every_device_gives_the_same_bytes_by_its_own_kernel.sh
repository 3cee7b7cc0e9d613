. "$CASES/devices.bash"
compare_devices
