function p = payper(rate, n, present, future, due)
% p = payper(rate, n, present, future, due): the payment, n times, that pays a loan back; future (0) is left; due 1: paid first.
if nargin < 4, future = 0; end
if nargin < 5, due = 0; end
grown = (1 + rate).^n;
share = rate./(grown - 1);
share(rate == 0) = 1./n;
p = (present.*grown + future).*share./(1 + rate.*due);
end
