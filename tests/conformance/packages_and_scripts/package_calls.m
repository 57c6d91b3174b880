% oracle: packages
addpath('support'); disp(shapes.area(2, 5)); f = @shapes.area; disp(func2str(f)); disp(feval(f, 1, 1)); b = shapes.Box(1, 2); disp(class(b)); import shapes.*
disp(area(2, 2));
