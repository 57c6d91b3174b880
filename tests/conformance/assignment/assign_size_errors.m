x = zeros(2,3);
try, x(1,:) = [1 2]; catch, disp('row'); end
try, x(:) = 1:5; catch, disp('all'); end
try, x([1 2 3]) = [1 2]; catch, disp('linear'); end
try, x(1:2,1:2) = [1 2 3]; catch, disp('block'); end
x(1,:) = [1 2 3]'; disp(x); x(:,2) = [7 8]; disp(x); x([1 2],1) = [5 6]; disp(x);
disp(size(x));
