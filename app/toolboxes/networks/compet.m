function a = compet(n)
% a = compet(n): in each column 1 at the first largest element, else 0.
[~, k] = max(n, [], 1);
a = full(sparse(k, 1:size(n, 2), 1, size(n, 1), size(n, 2)));
end
