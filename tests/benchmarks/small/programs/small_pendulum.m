function r = small_pendulum()
t = 1; w = 0; h = 1e-3; for k = 1:20000, w = w - h*9.81*sin(t); t = t + h*w; end
r = round(t*1e6);
end
