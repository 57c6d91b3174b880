function r = small_runge_kutta_scalar()
f = @(t, y) -2*y + sin(t); y = 1; h = 0.01;
for k = 0:999, t = k*h; a = f(t, y); b = f(t+h/2, y+h/2*a); c = f(t+h/2, y+h/2*b); d = f(t+h, y+h*c); y = y + h/6*(a+2*b+2*c+d); end
r = y;
end
