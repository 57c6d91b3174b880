try, error('my:id', 'value %d', 7); catch err, disp(err.identifier); disp(err.message); end
try, error('plain text'); catch err, disp(isempty(err.identifier)); disp(err.message); end
try, x = [1 2] * [3 4]; catch, disp('caught'); end
try, disp('fine'); catch, disp('never'); end
try, try, error('a:b','inner'); catch e1, error('c:d','outer: %s', e1.message); end, catch e2, disp(e2.message); end
try, error(struct('message','from struct','identifier','s:t')); catch e, disp(e.identifier); disp(e.message); end
