let plain = key ^ select(0x80000000u, 0xffffffffu, key < 0x80000000u);
if (key == 0x80000000u || key == 0xffffffffu) { out${k}[to] = in0[at]; }
else { out${k}[to] = plain; }
