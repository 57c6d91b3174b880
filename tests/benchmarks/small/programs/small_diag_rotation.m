function r = small_diag_rotation()
A = [4 1 2; 1 3 0; 2 0 5];
for k = 1:60
    [Q, R] = qr(A); A = R * Q; if norm(A - diag(diag(A))) < 1e-10, break, end
end
r = sum(diag(A)) + k/1000;
end
