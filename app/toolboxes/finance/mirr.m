function r = mirr(flow, finance, reinvest)
% r = mirr(flow, finance, reinvest): the modified rate of return: costs at one rate, earnings put in at another.
if isrow(flow), flow = flow(:); end
n = size(flow, 1) - 1;
t = (0:n)';
costs = sum(min(flow, 0)./(1 + finance).^t, 1);
gains = sum(max(flow, 0).*(1 + reinvest).^(n - t), 1);
r = (gains./-costs).^(1/n) - 1;
end
