function y = deintrlv(x, order)
% y = deintrlv(x, order): the inverse of intrlv.
back(order) = 1:numel(order);
y = intrlv(x, back);
end
