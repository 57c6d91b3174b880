% oracle: complex numbers are displayed in MATLAB form
a = [1 2; 3 4]; disp(a'); disp(a.'); disp([1 2 3]'); x = [1 2 3]; y = x'; disp(size(y)); disp(x * x'); disp(x' * x); c = {1, 2, 3}'; disp(size(c)); disp(['ab';'cd']'); s = 'a''b'; disp(s); disp(a'(1,2)); disp([x', x']); z = [1+2i 3]; disp(z'); disp(z.');
