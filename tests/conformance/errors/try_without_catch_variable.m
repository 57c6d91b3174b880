try, error('q'); catch, disp('caught'); end
try, x = 1; end, disp(x);
try, error('quiet'); end, disp('on');
