try, cellfun(@(x) x.missing, {1}); catch, disp('cellfun'); end
f = @(x) x(10); try, f(1:3), catch, disp('range'); end
try, arrayfun(@(k) error('my:id', 'at %d', k), 1:2); catch e, disp(e.identifier); disp(e.message); end
