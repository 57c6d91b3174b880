try, [struct('a', 1), struct('b', 2)], catch, disp('fields differ'), end
s = struct('a', {1 2}); try, s(3) = struct('z', 1); catch, disp('fields differ'), end
