function r = irr(flow)
% r = irr(flow): the rate at which the present value of payments is zero; columns are cash flows. NaN where
%   there is none; of several the one nearest to zero.
if isrow(flow), flow = flow(:); end
r = NaN(1, size(flow, 2));
for k = 1:numel(r)
    x = roots(flow(end:-1:1, k));
    x = real(x(abs(imag(x)) < 1e-9*abs(x) & real(x) > 0));
    rates = 1./x - 1;
    if ~isempty(rates), [~, near] = min(abs(rates)); r(k) = rates(near); end
end
end
