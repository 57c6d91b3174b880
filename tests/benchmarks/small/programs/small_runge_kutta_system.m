function r = small_runge_kutta_system()
f = @(t, y) [y(2); -y(1) - 0.1*y(2)]; y = [1; 0]; h = 0.02;
for k = 0:499, t = k*h; a = f(t, y); b = f(t+h/2, y+h/2*a); c = f(t+h/2, y+h/2*b); d = f(t+h, y+h*c); y = y + h/6*(a+2*b+2*c+d); end
r = y(1);
end
