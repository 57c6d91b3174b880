function plotv(M, style)
% plotv(M, style): the columns of M, of two or three rows, as lines from the origin.
if nargin < 2, style = '-'; end
[rows, count] = size(M);
if rows < 2, error('nnet:plotv:Arguments', 'The matrix must have two rows at least.'); end
Z = zeros(1, count);
if rows == 2
    plot([Z; M(1, :)], [Z; M(2, :)], style);
else
    plot3([Z; M(1, :)], [Z; M(2, :)], [Z; M(3, :)], style);
end
end
