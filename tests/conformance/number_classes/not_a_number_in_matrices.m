% dialect: matlab
% oracle: what matrix division, inv and factorisations do with NaN is MATLAB's
A = [NaN 1; 2 3];
x = A \ [1; 2]
y = sparse(A) \ [1; 2]
z = inv(A)
p = polyfit([1 2 3], [1 NaN 3], 1)
[l, u] = lu(A)
for f = {@schur, @hess, @pinv, @null, @(m) m^0.5, @(m) interp1([1 NaN 3], [1 2 3], 2)}
    try
        f{1}(A)
    catch e
        disp(e.message)
    end
end
e = expint([1 NaN])
