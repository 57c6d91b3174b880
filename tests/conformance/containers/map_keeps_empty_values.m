m = containers.Map(); m('a') = 1;
for k = 1:60, m('a') = []; m('b') = ''; end
disp(class(m('a'))), disp(class(m('b'))), disp(m.Count)
s.m = m; s.m('a') = []; disp(isempty(s.m('a')))
s.m('c') = ''; disp(class(s.m('c')))
d = containers.Map('KeyType', 'char', 'ValueType', 'double');
try, d('a') = []; catch e, disp(e.message), end
