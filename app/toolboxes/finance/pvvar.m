function pv = pvvar(flow, rate, dates)
% pv = pvvar(flow, rate, dates): the present value of payments, the first of them now; dates: on these days.
if isrow(flow), flow = flow(:); end
if nargin < 3
    years = (0:size(flow, 1) - 1)';
else
    years = (datenum(dates(:)) - min(datenum(dates(:))))/365;
end
pv = sum(flow./(1 + rate(:)').^years, 1);
end
