% oracle: MATLAB's layout
disp(5), disp([1.5 2]), disp('abc'), disp({1, 'a'}), disp(true), disp(int8([1 2])), disp(1 + 2i), disp(pi), disp(struct('a', 1)), disp(@sin)
