c = 0;
for n = 2:300
    x = linspace(-pi, pi, n);
    c = c + ~isequal(x, -fliplr(x));
end
disp(c)
x = linspace(2, -2, 400001);
disp([x(1) x(200001) x(end)]), disp(isequal(x, -fliplr(x)))
y = linspace(single(-1), 1, 7); disp(isequal(y, -fliplr(y))), disp(y(4))
z = linspace(-1i, 1i, 5); disp(isequal(z, -fliplr(z)))
disp(linspace(-3, 3, 5))
