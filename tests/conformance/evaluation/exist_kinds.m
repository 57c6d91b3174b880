x = 1; exist('x'), exist('x', 'var'), exist('sin') > 0, exist('no_such_thing_here'), exist('sin', 'var')
