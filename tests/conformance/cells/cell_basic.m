c = {1, 'two', [3 4 5]}; disp(size(c)); disp(class(c)); disp(class(c(2))); disp(c{2}); disp(c{3}(2));
c{5} = 'x'; disp(size(c)); disp(isempty(c{4})); c(2) = []; disp(numel(c)); d = cell(2,3); disp(size(d)); disp(isempty(d{2,3}));
d{2,3} = 7; disp(d{2,3}); d(:,1) = {'a';'b'}; disp(d{2,1}); e = {}; e{3} = 1; disp(size(e)); disp(iscell(e));
f = {1,2;3,4}; disp(f{2,1}); disp(size([f; {5,6}])); disp(size([f, {5;6}])); g = [{1}, {2,3}]; disp(numel(g));
