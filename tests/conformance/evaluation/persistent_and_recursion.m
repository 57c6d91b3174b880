function r = memo(n), persistent cache; if isempty(cache), cache = containers.Map('KeyType', 'double', 'ValueType', 'double'); end, if n < 2, r = n; return; end, if isKey(cache, n), r = cache(n); return; end, r = memo(n - 1) + memo(n - 2); cache(n) = r; end
disp(memo(50)); function r = counter(reset), persistent k; if nargin > 0, k = []; r = 0; return; end, if isempty(k), k = 0; end, k += 1; r = k; end
counter(); counter(); disp(counter()); counter(1); disp(counter()); function r = two(), persistent a b; if isempty(a), a = 1; b = 10; end, a += 1; b += 10; r = [a b]; end
two(); disp(two());
