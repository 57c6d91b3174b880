% oracle: a null assignment to several rows of a whole column deletes it in MATLAB; Octave rejects it
m = magic(3);
try, m(1,2) = []; catch, disp('two'); end
try, m(1:2,1:2) = []; catch, disp('block'); end
try, m(10,:) = []; catch, disp('beyond'); end
m(1:3,2) = []; disp(size(m)); c = {1,2,3}; c(2) = []; disp(numel(c)); c{1} = []; disp(numel(c)); disp(isempty(c{1}));
s = struct('a',{1,2,3}); s(2) = []; disp([s.a]); t = 'hello'; t([1 3]) = []; disp(t);
