% oracle: Octave's parser differs in its errors
p = inputParser; p.FunctionName = 'f'; p.addRequired('a'); p.addOptional('b', 5); p.addParameter('c', 'x');
p.parse(1); disp(p.Results.b); disp(p.Results.c); p.parse(1, 2, 'c', 'y'); disp(p.Results.b); disp(p.Results.c);
