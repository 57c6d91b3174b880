function r = small_permutations()
r = permute_all([], 1:5);
end
function c = permute_all(p, q)
if isempty(q), c = p(1); return, end
c = 0; for k = 1:numel(q), c = c + permute_all([p q(k)], q([1:k-1 k+1:end])); end
end
