x = magic(3); disp(isequal(x(:,1), x(':',1))); disp(isequal(x(:), x(':')));
idx = {':', 2}; disp(x(idx{:})'); idx = {1, ':'}; disp(x(idx{:}));
