s = struct('x', {1, 2, 3}); c = {4, 5, 6}; name = 'late';
[s.('x')] = c{:}; disp([s.x]); [s.(['event' name])] = c{:}; disp([s.eventlate]);
[s.(name)] = deal(7); disp([s.late]); t = s; [t.(name)] = s.x; disp([t.late]);
for k = 1:2, [t.(name)] = c{[3 1 2]}; end, disp([t.late]);
u = struct(); [u.('m'), u.('n')] = size(ones(2, 3)); disp([u.m u.n]); [u.(name), i] = max([3 9 4]); disp([u.late i]);
EEG.epoch(3).q = []; [EEG.epoch.(name)] = c{:}; disp([EEG.epoch.late]);
clear v, [v.(name)] = 5; disp(v.late);
z.('a') = s; [z.('a').(name)] = c{:}; disp([z.a.late]);
