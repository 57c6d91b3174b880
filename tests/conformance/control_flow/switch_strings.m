for s = {'a', 'B', 'c'}, switch lower(s{1}), case 'a', disp('A'); case {'b', 'x'}, disp('B or X'); otherwise, disp('none'); end, end
