function a = tansig(n)
% a = tansig(n): 2/(1 + exp(-2n)) - 1, the hyperbolic tangent.
a = 2./(1 + exp(-2*n)) - 1;
end
