s.m = magic(4); s.c = {1, {2, [5 6 7]}}; s.f = @(x) x + 1; disp(s.m(2,3)); disp(s.c{2}{2}(3)); disp(s.f(4)); t(2).s = s; disp(t(2).s.c{2}{2}(1)); 
t(2).s.c{2}{2}(1) = 55; disp(t(2).s.c{2}{2}); t(2).s.m(1,:) = []; disp(size(t(2).s.m)); disp(numel(t(2).s.c{2})); x = {@(a) {a, a*2}}; y = x{1}(3); disp(y{2});
