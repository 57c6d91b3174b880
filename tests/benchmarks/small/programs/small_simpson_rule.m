function r = small_simpson_rule()
f = @(x) sin(x).^2; r = 0; for n = 2:2:60, h = pi/n; x = 0:h:pi; y = f(x); r = r + h/3*(y(1) + 4*sum(y(2:2:end-1)) + 2*sum(y(3:2:end-2)) + y(end)); end
end
