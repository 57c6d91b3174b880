x = 5; disp(x(1)); disp(x(1,1)); disp(x(:)); disp(x(1,1,1)); disp(x(end)); disp(size(x([])));
e = []; disp(size(e(:))); disp(size(e([]))); z = zeros(0,3); disp(size(z(:,1))); disp(size(z(:)));
disp(size(z([],2))); y = zeros(1,0); disp(size(y([]))); disp(size(y(:)));
