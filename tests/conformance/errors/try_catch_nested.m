try, try, error('a:b', 'inner'); catch e, error('c:d', 'outer %s', e.message); end, catch f, disp(f.message); disp(f.identifier); end
