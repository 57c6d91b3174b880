A = [1 2
     3 4];
B = [1, 2;
     3, 4;];
disp(isequal(A, B)); c = {1, ...
 2
 3, 4}; disp(size(c)); D = [1 -2 + 3, 4 - 5]; disp(D); E = [A' B']; disp(size(E)); F = [1 - 2]; disp(F); G = ['a' 'b']; disp(G); H = [x_ = 3]; 
