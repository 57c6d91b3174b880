function [b, se, pval, finalmodel, stats, nextstep, history] = stepwisefit(X, y, varargin)
% [b, se, pval, finalmodel, stats, nextstep, history] = stepwisefit(X, y, ...): a linear fit with a constant whose columns of X
%   are taken in and out one by one by their F tests. b, se and pval of a column outside are those it would have if it were
%   taken in. Options: 'InModel' (columns at the start), 'PEnter' (0.05), 'PRemove' (0.10, at least PEnter), 'Display'
%   ('on', 'off'), 'MaxIter' (Inf), 'Keep' (columns that stay as they are), 'Scale' ('on': columns by their standard deviation).
o = optionsOf(varargin, size(X, 2));
keep = ~isnan(y) & ~any(isnan(X), 2);
[X, y] = deal(X(keep, :), y(keep));
width = ones(1, size(X, 2));
if o.scale, width = std(X); X = X./width; end
in = o.inmodel;
history = struct('B', zeros(size(X, 2), 0), 'rmse', zeros(1, 0), 'df0', zeros(1, 0), 'in', false(0, size(X, 2)));
if o.display, fprintf('Initial columns included: %s\n', listed(in)); end
for step = 1:o.maxiter + 1
    fit = fitted(X, y, in);
    [next, word] = nextOf(fit, in, o);
    if step > 1
        history.B(:, end + 1) = fit.b.*in';
        history.rmse(end + 1) = fit.rmse;
        history.df0(end + 1) = nnz(in);
        history.in(end + 1, :) = in;
    end
    if next == 0 || step > o.maxiter, break, end
    if o.display, fprintf('Step %d, %s column %d, p=%g\n', step, word, next, fit.p(next)); end
    in(next) = ~in(next);
end
if o.display, fprintf('Final columns included:  %s\n', listed(in)); end
[b, se, pval, finalmodel, nextstep] = deal(fit.b, fit.se, fit.p, in, next);
if o.display
    status = repmat({'Out'}, numel(b), 1);
    status(in) = {'In'};
    disp([{'Coeff', 'Std.Err.', 'Status', 'P'}; num2cell(b), num2cell(se), status, num2cell(pval)]);
end
total = sum((y - mean(y)).^2);
F = (total - fit.sse)/nnz(in)/(fit.sse/fit.dfe);
stats = struct('source', 'stepwisefit', 'dfe', fit.dfe, 'df0', nnz(in), 'SStotal', total, 'SSresid', fit.sse, 'fstat', F, ...
    'pval', fcdf(1/F, fit.dfe, nnz(in)), 'rmse', fit.rmse, 'xr', fit.xr, 'yr', fit.yr, 'B', b, 'SE', se, 'TSTAT', b./se, ...
    'PVAL', pval, 'covb', fit.covb, 'intercept', mean(y) - mean(X(:, in))*b(in), 'wasnan', ~keep);
if o.scale, stats.scale = width; end
end

function o = optionsOf(pairs, p)
o = struct('inmodel', false(1, p), 'penter', 0.05, 'premove', [], 'display', 'on', 'maxiter', Inf, 'keep', false(1, p), 'scale', 'off');
for k = 1:2:numel(pairs)
    name = lower(char(pairs{k}));
    if ~isfield(o, name) || k == numel(pairs)
        error('stats:stepwisefit:BadOption', '''%s'' is not an option of stepwisefit, or lacks its value.', char(pairs{k}));
    end
    o.(name) = pairs{k + 1};
end
for name = {'inmodel', 'keep'}
    flags = o.(name{1});
    if ~islogical(flags)
        o.(name{1}) = false(1, p);
        o.(name{1})(flags) = true;
    end
    o.(name{1}) = reshape(o.(name{1}), 1, []);
    if numel(o.(name{1})) ~= p, error('stats:stepwisefit:BadInModel', 'InModel and Keep must have a flag for each column of X.'); end
end
if isempty(o.premove), o.premove = max(o.penter, 0.10); end
if o.premove < o.penter, error('stats:stepwisefit:BadPRemove', 'PRemove must not be less than PEnter.'); end
o.display = strcmp(validatestring(o.display, {'on', 'off'}, 'stepwisefit', 'Display'), 'on');
o.scale = strcmp(validatestring(o.scale, {'on', 'off'}, 'stepwisefit', 'Scale'), 'on');
end

function f = fitted(X, y, in)
% The fit of the columns inside, and what each of the others would have with them.
n = numel(y);
[Q, R] = qr([ones(n, 1) X(:, in)], 0);
r = y - Q*(Q'*y);
f.yr = r;
f.xr = X(:, ~in) - Q*(Q'*X(:, ~in));
f.dfe = n - size(Q, 2);
f.sse = r'*r;
f.rmse = sqrt(f.sse/f.dfe);
[f.b, f.se] = deal(zeros(numel(in), 1));
inside = R\(Q'*y);
inverse = inv(R'*R)*f.rmse^2;
f.covb = NaN(numel(in));
f.covb(in, in) = inverse(2:end, 2:end);
f.b(in) = inside(2:end);
f.se(in) = sqrt(diag(inverse(2:end, 2:end)));
degrees = f.dfe*ones(numel(in), 1);
degrees(~in) = f.dfe - 1;
out = find(~in);
for k = 1:numel(out)
    x = f.xr(:, k);
    own = x'*x;
    if own <= eps*n*sum(X(:, out(k)).^2), own = NaN; end
    slope = x'*r/own;
    left = max(f.sse - slope^2*own, 0);
    f.b(out(k)) = slope;
    f.se(out(k)) = sqrt(left/(f.dfe - 1)/own);
end
f.p = 2*tcdf(-abs(f.b./f.se), degrees);
end

function [next, word] = nextOf(fit, in, o)
% The column that moves: the best one outside comes in before the worst one inside goes out.
[next, word] = deal(0, '');
p = fit.p;
p(in | o.keep) = NaN;
[least, at] = min(p);
if ~isempty(least) && least < o.penter, [next, word] = deal(at, 'added'); return, end
p = fit.p;
p(~in | o.keep) = NaN;
[most, at] = max(p);
if ~isempty(most) && most > o.premove, [next, word] = deal(at, 'removed'); end
end

function text = listed(in)
text = 'none';
if any(in), text = sprintf('%d ', find(in)); end
end
