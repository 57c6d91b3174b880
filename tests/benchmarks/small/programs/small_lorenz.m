function r = small_lorenz()
y = [1; 1; 1]; h = 0.005;
for k = 1:2000, y = y + h*[10*(y(2)-y(1)); y(1)*(28-y(3))-y(2); y(1)*y(2)-8/3*y(3)]; end
r = round(y(1)/1e3);
end
