names = {'log', 'sqrt', 'exp', 'sin', 'cos', 'tan', 'atan', 'log2', 'log10', 'gamma', 'erf', 'sinh', 'log1p', 'expm1', 'cbrt'};
for k = 1:numel(names)
    v = feval(names{k}, uint8([1 4]));
    printf('%s %s %.5f %.5f\n', names{k}, class(v), v);
end
x = uint8(mod(0:99999, 200)); y = sqrt(x + 1); printf('%s %.4f\n', class(y), sum(y));
s = 0; for k = int16(1):int16(5), s = s + log(k); end, printf('%s %.6f\n', class(s), s);
disp(class(abs(int8(-3)))), disp(class(round(int8(3))))
