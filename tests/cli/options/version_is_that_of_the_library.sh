header=$(sed -n 's/.*CLA_VERSION_STRING "\(.*\)".*/\1/p' "$CASES/../../../include/clalign/version.h")
[ "$(clalign version)" = "clalign $header" ] || fail "$(clalign version)"
[ "$(clalign --version)" = "clalign $header" ] || fail "$(clalign --version)"
