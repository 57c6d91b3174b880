x = 1:6; x(2) = []; disp(x); x([1 end]) = []; disp(x); x(x==4) = []; disp(x); x(:) = []; disp(size(x));
m = magic(4); m(:,2) = []; disp(m); m([1 3],:) = []; disp(m); disp(size(m));
c = (1:4)'; c(2:3) = []; disp(c'); disp(size(c)); y = 1:3; y([]) = []; disp(y); y(logical([0 1 0])) = []; disp(y);
z = 1:5; z([1 1 2]) = []; disp(z); q = magic(3); q(:,:) = []; disp(size(q));
