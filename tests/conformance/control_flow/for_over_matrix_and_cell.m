for c = [1 2; 3 4], disp(c'); end
for c = {1, 'a'}, disp(class(c)); disp(c{1}); end
for r = 'ab', disp(r); end
