% oracle: MATLAB documents (Output, Repeating); Octave ignores the block
[a, b] = tens(3)
first = tens(2)
c = cell(1, 3);
[c{:}] = tens(3);
disp(c)
nargout('tens')
[n, x, y] = counted(2);
disp([n x y])
try
    [p, q] = tens(1);
catch problem
    disp(problem.message)
end
try
    words();
    text = words();
catch problem
    disp(problem.message)
end

function B = tens(n)
    arguments (Output, Repeating)
        B (1, 1) double
    end
    for k = 1:n, B{k} = k*10; end
end

function [n, rest] = counted(n)
    arguments (Output)
        n (1, 1) double
    end
    arguments (Output, Repeating)
        rest
    end
    rest = num2cell(1:n);
end

function w = words()
    arguments (Output, Repeating)
        w (1, 1) double
    end
    w = {'ab'};
end
