% oracle: MException methods
e = MException('top:level', 'Top %d', 1); c = MException('low:level', 'Low'); e = e.addCause(c); disp(numel(e.cause)); disp(e.cause{1}.message); try, error('a:b', 'inner'); catch q, try, rethrow(q); catch r, disp(r.identifier); end, end, function thrower(), error('t:h', 'from thrower'); end
try, thrower(); catch w, disp(w.stack(1).name); disp(w.stack(1).line > 0); end, try, throw(e); catch z, disp(z.message); end, disp(isa(e, 'MException')); disp(getReport(MException('x:y', 'plain')));
