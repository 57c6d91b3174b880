s.x = 1; s(3).x = 5;
disp(size(s)); disp(isempty(s(2).x)); disp([s.x]);
