function add(m), m('new') = 1; end
m = containers.Map(); n = m; add(m); disp(n.isKey('new')); remove(n, 'new'); disp(m.Count);
