try, try, error('my:id', 'text %d', 5); catch e, rethrow(e); end, catch g, disp(g.identifier); disp(g.message); end
