x = [5 -1 3 -7 0];
disp(x(x>0)); disp(x(logical([1 0 1 0 1]))); disp(size(x(x>100)));
m = magic(3); disp(m(m>4)'); disp(size(m(m>4)));
c = m(:,1); disp(c(c>3)'); disp(size(c(c>3)));
disp(m(logical([1 0 1]),2)'); disp(x(true)); disp(size(x(false)));
disp(size(m(false(3)))); disp(x(x~=0 & x<4));
