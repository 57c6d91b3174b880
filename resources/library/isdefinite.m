function tf = isdefinite(A, tol)
% tf = isdefinite(A, tol): true when A is Hermitian and positive definite beyond a tolerance (Octave's).
if ~isnumeric(A) && ~islogical(A)
    error('isdefinite:invalidType', 'The input of isdefinite must be a numeric matrix.');
end
if ~isfloat(A)
    A = double(A);
end
if nargin < 2
    tol = 100 * eps(class(A)) * norm(A, 'fro');
end
tf = false;
if ishermitian(A, tol)
    [~, failed] = chol(A - tol * eye(size(A)));
    tf = failed == 0;
end
end
