c = {1, 'two'};
c{:}
s = struct('q', {1, 2}); s.q
