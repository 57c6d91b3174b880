m = containers.Map({'x', 'y'}, [10 20]); disp(m('y')); v = values(m); disp(v{1}); v = values(m, {'y'}); disp(v{1}); disp(m.isKey({'x', 'q'}));
