function r = small_predator_prey()
y = [10; 5]; h = 0.002; for k = 1:3000, y = y + h*[1.1*y(1) - 0.4*y(1)*y(2); 0.1*y(1)*y(2) - 0.4*y(2)]; end
r = round(y(1)*100);
end
