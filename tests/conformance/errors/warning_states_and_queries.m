% dialect: matlab
% oracle: the texts go to standard error
s = warning("off", "my:id"); disp(s.state)
warning('on', 'my:id'); q = warning('query', 'my:id'); disp(q.state)
lastwarn('set by hand', 'x:y'); [m, id] = lastwarn
before = warning; warning('off', 'all'); w = warning('query', 'any:thing'); disp(w.state), warning(before);
warning('error: %d', 3), disp(lastwarn)
