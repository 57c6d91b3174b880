function r = effrr(rate, n)
% r = effrr(rate, n): the effective yearly rate of a nominal one compounded n times a year.
r = (1 + rate./n).^n - 1;
end
