c = {3, 5, 7}; disp(max(c{1:2})); disp([c{:}]); x = [c{2:3}]; disp(x); [a,b] = c{2:3}; disp(a*10+b);
f = @(varargin) numel(varargin); disp(f(c{:})); disp(f(c{:}, 1)); disp(f(c{[]})); d = {c{:}, 9}; disp(numel(d));
e = {c{:}; c{:}}; disp(size(e)); disp(numel({})); args = {2,3}; disp(size(zeros(args{:})));
