function c = secondordercone(A, b, d, gamma)
% c = secondordercone(A, b, d, gamma): the constraint norm(A*x - b) <= d'*x - gamma for coneprog; constraints stand in a row as [c1 c2], or are set as c(2) = ....
if nargin < 4, error('MATLAB:minrhs', 'Not enough input arguments.'); end
c = optim.coneprog.SecondOrderConeConstraint(A, b, d, gamma);
end
