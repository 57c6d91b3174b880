x = [1 2 3];
try, x(0), catch e, disp('zero'); end
try, x(1.5), catch e, disp('fraction'); end
try, x(4), catch e, disp('beyond'); end
try, x(-1), catch e, disp('negative'); end
try, x(2,1), catch e, disp('row'); end
try, x(1,2,2), catch e, disp('page'); end
try, x(logical([1 0 0 1])), catch e, disp('mask'); end
try, x(NaN), catch e, disp('nan'); end
try, x({1}), catch e, disp('cell'); end
