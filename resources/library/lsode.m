function [x, istate, message] = lsode(f, x0, t, critical)
% x = lsode(f, x0, t): a system x' = f(x, t) at the times t, one row for each (Octave's).
%   f may be a cell of the function and its Jacobian, which is not needed here. istate is 2 when
%   the last time was reached.
if nargin > 3 && ~isempty(critical)
    t_ = unique([t(:); critical(:)]);
else
    t_ = t(:);
end
if iscell(f)
    f = f{1};
end
if ischar(f) || isstring(f)
    f = str2func(char(f));
end
options = odeset('RelTol', 1.49012e-08, 'AbsTol', 1.49012e-08);
x = reshape(x0, 1, []);
if numel(t_) > 1
    [~, x] = ode15s(@(s, y) reshape(f(y, s), [], 1), with_middle(t_), x0(:), options);
    if numel(t_) == 2
        x = x([1 end], :);
    end
end
[~, rows] = ismember(t(:), t_);
[x, istate, message] = deal(x(rows, :), 2, 'successful exit');
end

function t = with_middle(t)
% Three times at least, so that the solver gives its values at them alone.
if numel(t) == 2
    t = [t(1); mean(t); t(2)];
end
end
