% oracle: MException is MATLAB's
e = MException('a:b', 'value %d', 3); disp(e.message);
try, throw(e); catch q, disp(q.identifier), disp(class(q)), end
try, error('x:y', 'z'); catch err, disp(isempty(err.stack) || isstruct(err.stack)), end
w = addCause(MException('t:t', 'top'), e); disp(w.cause{1}.identifier);
