% oracle: MException is MATLAB only
try, try, error('q:r','first'); catch e, rethrow(e); end, catch f, disp(f.identifier); disp(f.message); end
try, error('zz'); end, disp(lasterr()); try, error('id:x','m %s','arg'); catch, end, [m, id] = lasterr(); disp(m); disp(id);
e = MException('a:b', 'msg %d', 5); disp(e.message); disp(e.identifier); try, throw(e); catch g, disp(g.message); end
disp(class(e));
