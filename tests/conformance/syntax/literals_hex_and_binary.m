% oracle: the literal's class is unsigned
0xFF, 0b101, class(0xFF), class(0x1FF), 0xFFs16
