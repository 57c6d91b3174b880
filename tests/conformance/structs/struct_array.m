s = struct('a', {1,2,3}); disp(size(s)); disp([s.a]); s(2).a = 20; disp(s(2).a); s(5).a = 50; disp(size(s)); disp(isempty(s(4).a));
t(3).x = 1; disp(size(t)); disp(isempty(t(1).x)); s(1).b = 'new'; disp(isempty(s(2).b)); disp(numel(s));
x = s(2:3); disp(size(x)); disp([x.a]); [s.a] = deal(0); disp([s.a]); q = s(1); disp(q.b);
v = {s.a}; disp(numel(v)); r = struct('k', {}); disp(size(r)); r(1).k = 5; disp(r.k); r(end+1).k = 6; disp([r.k]);
