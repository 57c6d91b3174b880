% oracle: packages
addpath('support'); disp(shapes.area(2, 3)); disp(shapes.flat.perimeter(2, 3)); f = @shapes.area; disp(f(4, 5)); b = shapes.Box(2, 5); disp(b.area()); disp(class(b)); disp(shapes.Box.kinds()); import shapes.area
disp(area(3, 3)); g = @(x) shapes.area(x, 2); disp(g(7)); disp(feval('shapes.area', 1, 9)); c = shapes.Box(); disp(c.h);
