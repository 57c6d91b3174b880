function r = small_persistent_cache()
r = 0; for k = 1:200, r = r + lucas(mod(k*7, 30) + 1); end
end
function v = lucas(n)
persistent known
if isempty(known), known = zeros(1, 40); end
if known(n) > 0, v = known(n); return, end
if n == 1, v = 2; elseif n == 2, v = 1; else, v = lucas(n-1) + lucas(n-2); end
known(n) = v;
end
