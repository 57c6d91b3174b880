s = cell2struct({1; 'a'}, {'x'; 'y'}, 1); disp(s.y);
c = struct2cell(s); disp(size(c)); disp(c{1});
