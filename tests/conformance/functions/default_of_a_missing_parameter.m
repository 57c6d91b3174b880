1;
function r = shortened(x, n = min(2, length(x)))
    x = x(:);
    r = [n numel(x)];
end
function r = chained(a, b = a + 1, c = [b b])
    a = 10 * a;
    b = -b;
    r = {a, b, c};
end
try
    shortened
catch problem
    disp(strtok(problem.message))
end
disp(shortened(1:5)), disp(shortened(1:5, 9))
disp(cell2mat(chained(1))), disp(cell2mat(chained(1, 5))), disp(cell2mat(chained(1, :, 7)))
