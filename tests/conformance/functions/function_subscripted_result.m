f = @() [10 20 30]; disp(f()(2)); disp(magic(3)(2, :)); disp({4, 5}{2}); disp('hello'(1)); disp(size(ones(2, 3))(end));
