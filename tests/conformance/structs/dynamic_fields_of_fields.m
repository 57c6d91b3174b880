s = struct(); n = 'first'; s.(n) = 1; s.([n 'er']) = {2}; s.(sprintf('k%d', 3)).deep.(n) = 'x';
fieldnames(s)', s.(n), s.k3.deep.first, isfield(s, {'first', 'zz', 'k3'})
for f = fieldnames(s)', disp(f{1}), end
s = rmfield(s, 'first'); t(3).(n) = 5; size(t), isempty(t(1).first), [t.first]
