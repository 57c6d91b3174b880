function [y, i] = bitrevorder(x)
% [y, i] = bitrevorder(x): the elements in the order of their positions with reversed bits.
[y, i] = digitrevorder(x, 2);
end
