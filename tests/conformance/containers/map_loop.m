m = containers.Map({'one', 'two', 'three'}, [1 2 3]); for k = keys(m), fprintf('%s=%d ', k{1}, m(k{1})); end, fprintf('\n');
