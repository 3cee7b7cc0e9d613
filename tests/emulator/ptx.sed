# NVIDIA's instructions as LLVM's language has them, each to the function of device.clh that does the same.
s/asm "add\.u16x2 \$0, \$1, \$2;", "[^"]*"/@ptx_add_u16x2/
s/asm "add\.s16x2 \$0, \$0, \$1;", "[^"]*"/@ptx_add_u16x2/
s/asm "max\.u16x2 \$0, \$1, \$2;", "[^"]*"/@ptx_max_u16x2/
s/asm "max\.relu\.s16x2 \$0, \$0, \$1;", "[^"]*"/@ptx_max_relu_s16x2/
s/asm "prmt\.b32 \$0, \$1, \$2, \$3;", "[^"]*"/@ptx_prmt/
s/asm "mad\.lo\.u32 \$0, \$1, \$2, \$3;", "[^"]*"/@ptx_mad/
s/asm sideeffect "shfl\.sync\.idx\.b32 \$0, \$1, \$2, 31, 0xffffffff;", "[^"]*"/@ptx_shfl/
s/asm sideeffect "\$\( \.reg \.pred p, q; setp\.ne\.u32 p, \$1, 0; vote\.sync\.any\.pred q, p, 0xffffffff; selp\.u32 \$0, 1, 0, q; \$\)", "[^"]*"/@ptx_vote_any/
s/asm sideeffect "\$\( \.reg \.pred p; setp\.ne\.u32 p, \$1, 0; vote\.sync\.ballot\.b32 \$0, p, 0xffffffff; \$\)", "[^"]*"/@ptx_vote_ballot/
s/asm sideeffect "redux\.sync\.max\.u32 \$0, \$1, 0xffffffff;", "[^"]*"/@ptx_redux_max/
s/asm sideeffect "bar\.warp\.sync 0xffffffff;", "[^"]*"/@ptx_bar_warp/
s/asm sideeffect "ld\.relaxed\.gpu\.global\.u64 \$0, \[\$1\];", "[^"]*"/@ptx_load_64/
s/asm sideeffect "ld\.acquire\.gpu\.global\.s64 \$0, \[\$1\];", "[^"]*"/@ptx_acquire_64/
s/asm sideeffect "ld\.acquire\.gpu\.global\.s32 \$0, \[\$1\];", "[^"]*"/@ptx_acquire_32/
s/asm sideeffect "prefetch\.global\.L2 \[\$0\];", "[^"]*"/@ptx_prefetch/
s/asm sideeffect "st\.relaxed\.gpu\.global\.u64 \[\$0\], \$1;", "[^"]*"/@ptx_store_64/
s/asm sideeffect "st\.release\.gpu\.global\.s64 \[\$0\], \$1;", "[^"]*"/@ptx_release_64/
s/asm sideeffect "st\.release\.gpu\.global\.s32 \[\$0\], \$1;", "[^"]*"/@ptx_release_32/
# A variable in local memory, which begins undefined.
s/^(@[A-Za-z0-9_.]+ = internal) global (.*) undef/\1 thread_local global \2 undef/
