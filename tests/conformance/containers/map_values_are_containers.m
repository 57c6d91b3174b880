m = containers.Map(); m('v') = [1 2 3]; x = m('v'); disp(x(2)); m('c') = {1, 'b'}; c = m('c'); disp(c{2}); m('m') = containers.Map({'i'}, {5}); n = m('m'); disp(n('i'));
