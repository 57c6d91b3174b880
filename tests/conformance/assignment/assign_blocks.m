x = zeros(3); x(2,:) = [1 2 3]; x(:,1) = 9; x(1:2,2:3) = [4 5; 6 7]; disp(x);
x(:) = 1:9; disp(x); x([1 3],[1 3]) = 0; disp(x); x(x==0) = -1; disp(x);
x(:,end+1) = [1;2;3]; disp(x); x(end+1,:) = 0; disp(x);
