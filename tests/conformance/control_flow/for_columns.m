for c = [1 2; 3 4; 5 6], fprintf('%d,', c); fprintf(' '); end, fprintf('\n'); for c = (1:3)', fprintf('[%d %d %d]', c); end, fprintf('\n');
for c = {1,'a'}, fprintf('%s ', class(c)); end, fprintf('\n'); for c = 'xyz', fprintf('<%s>', c); end, fprintf('\n');
n = 0; for c = [], n = n + 1; end, disp(n); n = 0; for c = zeros(2,0), n = n + 1; end, disp(n); for s = struct('a',{1,2}), fprintf('%d;', s.a); end, fprintf('\n');
