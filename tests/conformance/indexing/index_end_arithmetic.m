x = 1:10; disp(x(end)); disp(x(end-2)); disp(x(end/2)); disp(x([1 end])); disp(x(end:-3:1));
m = magic(4); disp(m(end)); disp(m(end,1)); disp(m(end-1:end, end));
disp(x(min(end,20))); disp(x(numel(x(1:end-1))));
c = {1,[4 5 6],'abc'}; disp(c{end}); disp(c{2}(end)); disp(c{end}(end-1));
s.a = {1,2,[7 8 9]}; disp(s.a{end}(end));
