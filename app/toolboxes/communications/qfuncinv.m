function x = qfuncinv(y)
% x = qfuncinv(y): the inverse of qfunc.
x = sqrt(2)*erfcinv(2*y);
end
