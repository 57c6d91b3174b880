c = {3, 1, 2};
disp(max(c{1:2}));
disp(horzcat(c{:}));
disp(numel({c{:}, c{:}}));
