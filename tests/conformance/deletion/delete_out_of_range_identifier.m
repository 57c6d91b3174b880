v = 1:3;
try, v(5) = []; catch e, disp(~isempty(e.identifier)), end
try, v(2, :) = []; catch e, disp('range'), end
disp(v);
