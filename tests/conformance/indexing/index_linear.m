x = [10 20 30; 40 50 60];
disp(x(2)); disp(x(3)); disp(x(end));
disp(x(:)'); disp(size(x(:)));
disp(x([1 2; 3 4]));
disp(size(x([1 2 3]')));
