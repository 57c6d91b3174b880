for i = 1:2, while true, i = i + 10; break; end, disp(i); end, for i = 1:0, end, disp(isempty(i)); for i = [], end, disp(size(i));
