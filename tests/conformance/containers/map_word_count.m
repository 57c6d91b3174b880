m = containers.Map(); for w = strsplit('a b a c b a'), if m.isKey(w{1}), m(w{1}) += 1; else, m(w{1}) = 1; end, end
disp(m('a')); disp(m('c'));
