a = 1; clear a
disp hello
disp 'two words'
disp(exist('a'))
