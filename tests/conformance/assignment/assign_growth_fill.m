x = 1; x(2,2) = 4; disp(x); x(3,4) = 1; disp(x); x(1,1,2) = 8; disp(size(x)); disp(x(:,:,2));
e = zeros(0,3); e(2,:) = [1 2 3]; disp(e); f = []; f(:,1) = [1 2 3]; disp(f'); disp(size(f));
g = []; g(2,:) = [1 2]; disp(g); h = ''; h(3) = 'c'; disp(double(h)); L = true; L(3) = true; disp(L);
