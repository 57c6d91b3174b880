function r = small_householder_qr()
A = magic(8) + eye(8); R = A; for k = 1:7, x = R(k:end,k); e = zeros(size(x)); e(1) = norm(x); v = x + sign(x(1))*e; v = v/norm(v); R(k:end,:) = R(k:end,:) - 2*v*(v'*R(k:end,:)); end
r = abs(prod(diag(R)));
end
