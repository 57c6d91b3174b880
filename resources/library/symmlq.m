function varargout = symmlq(A, b, varargin)
% x = symmlq(A, b, tol, maxit, M1, M2, x0): solve A*x = b for symmetric A that may be indefinite.
%   [x, flag, relres, iter, resvec] = ...: the iteration is that of MINRES, which shares its
%   Lanczos vectors.
[varargout{1:max(nargout, 1)}] = minres(A, b, varargin{:});
end
