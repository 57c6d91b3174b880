function s = regstats(y, X, model, which)
% s = regstats(y, X, model, which): a linear fit with a constant and what diagnoses it. model is that of x2fx
%   ('linear', 'interaction', 'quadratic', 'purequadratic', or a matrix); which is 'all' or a cell of names of fields.
if nargin < 3 || isempty(model), model = 'linear'; end
if nargin < 4, which = 'all'; end
names = {'Q', 'R', 'beta', 'covb', 'yhat', 'r', 'mse', 'rsquare', 'adjrsquare', 'leverage', 'hatmat', 's2_i', 'beta_i', ...
    'standres', 'studres', 'dfbetas', 'dffit', 'dffits', 'covratio', 'cookd', 'tstat', 'fstat', 'dwstat'};
if strcmpi(which, 'all'), which = names; end
which = cellstr(which);
unknown = setdiff(which, names);
if ~isempty(unknown), error('stats:regstats:UnknownStat', 'Unknown statistic ''%s''.', unknown{1}); end
keep = ~isnan(y) & ~any(isnan(X), 2);
[y, X] = deal(y(keep), x2fx(X(keep, :), model));
[n, p] = size(X);
[Q, R] = qr(X, 0);
a = struct();
a.Q = Q;
a.R = R;
a.beta = R\(Q'*y);
a.yhat = X*a.beta;
a.r = y - a.yhat;
dfe = n - p;
sse = sum(a.r.^2);
a.mse = sse/dfe;
inverse = inv(R'*R);
a.covb = inverse*a.mse;
sst = sum((y - mean(y)).^2);
ssr = sst - sse;
a.rsquare = 1 - sse/sst;
a.adjrsquare = 1 - (sse/sst)*(n - 1)/dfe;
a.hatmat = Q*Q';
h = sum(Q.^2, 2);
a.leverage = h;
a.s2_i = (dfe*a.mse - a.r.^2./(1 - h))/(dfe - 1);
change = (inverse*X').*(a.r./(1 - h))';
a.beta_i = a.beta - change;
a.standres = a.r./sqrt(a.mse*(1 - h));
a.studres = a.r./sqrt(a.s2_i.*(1 - h));
a.dfbetas = change./(sqrt(diag(inverse))*sqrt(a.s2_i)');
a.dffit = h.*a.r./(1 - h);
a.dffits = a.studres.*sqrt(h./(1 - h));
a.covratio = (a.s2_i/a.mse).^p./(1 - h);
a.cookd = a.r.^2.*h./(p*a.mse*(1 - h).^2);
se = sqrt(diag(a.covb));
t = a.beta./se;
a.tstat = struct('beta', a.beta, 'se', se, 't', t, 'pval', 2*tcdf(-abs(t), dfe), 'dfe', dfe);
f = (ssr/(p - 1))/a.mse;
a.fstat = struct('sse', sse, 'dfe', dfe, 'dfr', p - 1, 'ssr', ssr, 'f', f, 'pval', fcdf(1/f, dfe, p - 1));
dw = sum(diff(a.r).^2)/sse;
a.dwstat = struct('dw', dw, 'pval', durbinWatson(dw, Q));
s = struct('source', 'regstats');
for name = names
    if any(strcmp(which, name{1})), s.(name{1}) = a.(name{1}); end
end
end

function p = durbinWatson(dw, Q)
% The two-sided probability, from the normal approximation of the statistic.
n = size(Q, 1);
D = diff(eye(n));
M = eye(n) - Q*Q';
A = M*(D'*D)*M;
df = round(trace(M));
m = trace(A)/df;
v = 2*(trace(A*A) - df*m^2)/(df*(df + 2));
low = normcdf((dw - m)/sqrt(v));
p = 2*min(low, 1 - low);
end
