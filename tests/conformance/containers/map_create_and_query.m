m = containers.Map(); m('b') = 2; m('a') = 1; disp(m.Count); disp(m.keys()); disp(m.isKey('a')); disp(m('b')); disp(class(m));
