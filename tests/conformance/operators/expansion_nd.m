x = ones(2, 1, 3) .* [1 2]; disp(size(x));
disp(sum(x(:)));
