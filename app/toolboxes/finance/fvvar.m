function fv = fvvar(flow, rate, dates)
% fv = fvvar(flow, rate, dates): the value of payments when the last of them is made.
if isrow(flow), flow = flow(:); end
if nargin < 3
    years = (size(flow, 1) - 1:-1:0)';
else
    years = (max(datenum(dates(:))) - datenum(dates(:)))/365;
end
fv = sum(flow.*(1 + rate(:)').^years, 1);
end
