function X = chol2inv(R)
% X = chol2inv(R): the inverse of R'*R, R being a Cholesky factor (Octave's).
R = triu(R);
S = R\eye(size(R));
X = S*S';
end
