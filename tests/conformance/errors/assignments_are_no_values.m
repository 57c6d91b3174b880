% dialect: matlab
% oracle: an assignment is an expression in Octave; here and in MATLAB it is a mistake.
for t = {'y = (x = 4);', 'a = b = 3;', 'f = [q = 3];', 'disp(s.a = 3)', 'c = {z = 1};', 'while n = 0, end', 'if x = 3, end', ...
        'y = 2 * (x = 4);', 'switch (x = 4), end', 'v((k = 2)) = 1;', 'for i = (j = 1:3), end'}
    try
        eval(t{1});
        disp(['taken: ' t{1}])
    catch problem
        disp([t{1} '  ' strtok(problem.message, '.')])
    end
end
x = 3; if x == 3, disp(x), end
s = struct('a', 1); s.a = 5; disp(s.a)
