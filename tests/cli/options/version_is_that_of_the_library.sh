header=$(sed -n 's/.*CLA_VERSION_STRING "\(.*\)".*/\1/p' "$CASES/../../../include/clalign/version.h")
clalign version >version || exit
clalign --version | cmp version - || fail "--version differs"
[ "$(head -n 1 version)" = "clalign $header" ] || fail "$(head -n 1 version)"
sed -n 2p version | grep -Eq '^with cairo [0-9][^,]*, htslib [0-9][^,]*, jansson [0-9][^,]*, xxHash [0-9][^,]*, zstd [0-9][0-9.]*' ||
  fail "$(sed -n 2p version)"
devices=$(clalign devices --format json | jq -rs '.[] | "device \(.index): \(.name) (\(.version), driver \(.driver))"')
[ "$(sed 1,2d version)" = "$devices" ] || fail "$(sed 1,2d version)"
OCL_ICD_VENDORS=/nowhere OPENCL_VENDOR_PATH=/nowhere clalign version >none || exit
head -n 2 version | cmp - <(head -n 2 none) || fail "other versions without a device"
sed -n 3p none | grep -q '^no ' || fail "$(sed -n 3p none)"
