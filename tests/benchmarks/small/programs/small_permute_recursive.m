function r = small_permute_recursive()
r = walk([], 1:5);
end
function n = walk(prefix, rest)
if isempty(rest), n = prefix * (1:numel(prefix))'; n = mod(n, 3); return, end
n = 0; for k = 1:numel(rest), n = n + walk([prefix rest(k)], rest([1:k-1 k+1:end])); end
end
