strsplit('a,b,,c', ','), strjoin({'a', 'b'}, '-'), ostrsplit_ = regexp('a1b2', '\d', 'split'), mat2str([1 2; 3 4.5]), mat2str([true false]), int2str(2.7), num2str([1 2 3]), num2str(pi, 8)
