function fv = fvfix(rate, n, payment, present, due)
% fv = fvfix(rate, n, payment, present, due): the value after n equal payments onto present (0); due 1: paid first.
if nargin < 4, present = 0; end
if nargin < 5, due = 0; end
grown = (1 + rate).^n;
worth = (grown - 1)./rate;
worth(rate == 0) = n;
fv = payment.*(1 + rate.*due).*worth + present.*grown;
end
