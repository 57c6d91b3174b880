[x, y] = meshgrid(1:3, 1:2), [a, b] = ndgrid(1:2, 1:3); disp(a); disp(size(b));
