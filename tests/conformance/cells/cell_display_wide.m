% oracle: MATLAB's layout
c = {1.5; -2; pi; 1e10; 'text'; [1.5 2.5]; ['ab'; 'cd']; struct('a', 1)}
