function y = intrlv(x, order)
% y = intrlv(x, order): the elements (or rows) in another order.
if isvector(x), y = reshape(x(order), size(x)); else, y = x(order, :); end
end
