s = 'hello world'; disp(s(1)); disp(s(end:-1:1)); disp(s([1 end])); s(1) = 'J'; disp(s); s(end+1) = '!'; disp(s); disp(numel(s)); disp(s(s=='o')); t = s; t(t==' ') = '_'; disp(t); 
m = ['abc';'def']; disp(m(2,:)); disp(m(:,1)'); disp(size(m)); disp(['x' 65 66]); disp(double('AZ')); disp(class(['a' 66])); u = ''; u(3) = 'x'; disp(double(u)); disp(upper(s(2:4)));
