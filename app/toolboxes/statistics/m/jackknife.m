function s = jackknife(fun, varargin)
% s = jackknife(fun, X, ...): the function of the data without the first row, without the second, ... in rows.
n = size(varargin{1}, 1);
args = varargin;
if n == 1
    args{1} = args{1}(:);
    n = size(args{1}, 1);
end
for k = n:-1:1
    part = args;
    for j = 1:numel(part)
        if size(part{j}, 1) == n, part{j}(k, :) = []; end
    end
    made = fun(part{:});
    s(k, :) = made(:)';
end
end
