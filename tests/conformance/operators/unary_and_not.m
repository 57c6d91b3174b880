% oracle: disp of an empty array shows nothing
a = [1 0 2]; disp(~a); disp(!a); disp(-a); disp(+a); disp(~~a); disp(-(-3)); disp(~true); disp(~(3 > 2)); x = 5; disp(-x'); disp([1 -2]'); b = ~isempty(a) && ~any(a > 5); disp(b); disp(~[]); disp(size(~[])); disp(-[1 2; 3 4]); k = 3; k++; disp(k); k--; disp(k); disp(- 3); disp(1 - -1); disp(~0 == 1);
