function s = con2seq(b, ts)
% s = con2seq(b): columns of a matrix as a row of cells, one for each time. con2seq(b, ts): columns of each cell divided over ts times.
if nargin < 2
    s = num2cell(b, 1);
else
    s = cell(numel(b), ts);
    for k = 1:numel(b)
        wide = size(b{k}, 2)/ts;
        if wide ~= fix(wide), error('nnet:con2seq:columns', 'The columns must be a multiple of the times.'); end
        s(k, :) = mat2cell(b{k}, size(b{k}, 1), wide*ones(1, ts));
    end
end
end
