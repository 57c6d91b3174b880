function [ea, ed] = wenergy(c, l)
% [ea, ed] = wenergy(C, L): the shares of energy, in percent, of the approximation and of the details of each level from the first on.
whole = sum(c.^2);
ea = 100*sum(c(1:l(1)).^2)/whole;
n = numel(l) - 2;
ed = arrayfun(@(k) 100*sum(detcoef(c, l, k).^2)/whole, 1:n);
end
