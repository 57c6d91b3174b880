function [i, n] = vec2ind(v)
% [i, n] = vec2ind(v): in which row each column has its largest element, and how many rows there are.
[~, i] = max(full(v), [], 1);
n = size(v, 1);
end
