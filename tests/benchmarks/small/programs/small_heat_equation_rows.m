function r = small_heat_equation_rows()
n = 60; U = zeros(200, n); U(1,:) = sin((1:n)/n*pi);
for j = 2:200, U(j,2:end-1) = U(j-1,2:end-1) + 0.2*(U(j-1,3:end) - 2*U(j-1,2:end-1) + U(j-1,1:end-2)); end
r = sum(U(end,:));
end
