s.a = 1; s.b = 'text'; disp(s.a); disp(s.b); disp(isstruct(s)); disp(isfield(s,'a')); disp(isfield(s,'z'));
s.c.d.e = 5; disp(s.c.d.e); s.c.d.f = 6; disp(numel(fieldnames(s.c.d))); n = fieldnames(s); disp(n{3});
t = struct('x', 1, 'y', {{1,2}}); disp(class(t.y)); disp(size(t)); s = rmfield(s,'a'); disp(isfield(s,'a'));
s.v(3) = 2; disp(s.v); s.w{2} = 'k'; disp(size(s.w)); u = s; u.b = 'changed'; disp(s.b);
