s.a.b(3).c = {1, 2}; s.a.b(2).c{2} = 'q';
disp(size(s.a.b)); disp(s.a.b(3).c{1}); disp(isempty(s.a.b(1).c)); disp(s.a.b(2).c{2});
