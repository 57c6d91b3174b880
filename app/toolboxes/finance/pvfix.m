function pv = pvfix(rate, n, payment, extra, due)
% pv = pvfix(rate, n, payment, extra, due): the present value of n equal payments and of extra (0) at the end; due 1: paid first.
if nargin < 4, extra = 0; end
if nargin < 5, due = 0; end
grown = (1 + rate).^n;
worth = (1 - 1./grown)./rate;
worth(rate == 0) = n;
pv = payment.*(1 + rate.*due).*worth + extra./grown;
end
