function s = sharpe(r, cash)
% s = sharpe(r, cash): the mean of returns above cash (0) over their standard deviation.
if nargin < 2, cash = 0; end
if isrow(r), r = r(:); end
s = (mean(r, 1, 'omitnan') - mean(cash))./std(r, 0, 1, 'omitnan');
end
