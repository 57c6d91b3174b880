function r = small_wave_equation()
u = exp(-((1:100)-50).^2/50); v = u;
for k = 1:300, w = 2*u - v; w(2:end-1) = w(2:end-1) + 0.25*(u(3:end) - 2*u(2:end-1) + u(1:end-2)); v = u; u = w; end
r = sum(abs(u));
end
