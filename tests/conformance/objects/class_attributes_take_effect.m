% dialect: matlab
% oracle: Octave has no listeners, and does not look at most attributes
addpath('support'), d = Dial(4);
told = @(s, e) fprintf('%s %s %d\n', e.EventName, s.Name, e.AffectedObject.Level);
l = addlistener(d, 'Level', 'PostSet', told); k = addlistener(d, 'Checked', 'PreSet', told);
d.Level = 1; d.Checked = 1; d.Level = 3; d.Level = 3; d.Checked = 2; d.Checked = 2; d.Level = single(3);
g = addlistener(d, 'Read', 'PreGet', @(s, e) disp(e.EventName)); disp(d.Read)
DialFriend.tune(d), disp(d.Tuned)
try, d.Tuned = 2; catch e, disp(e.message), end
try, tune(DialChild), catch e, disp(e.message), end
try, d.hello, catch e, disp(e.message), end
try, d.remake, catch e, disp(e.message), end
d.Own = 6; c = copy(d); disp([c.Made c.Own])
try, addlistener(d, 'Read', 'PostSet', told); catch e, disp(e.message), end
try, addlistener(d, 'None', 'PostSet', told); catch e, disp(e.message), end
try, addlistener(d, 'Level', 'Set', told); catch e, disp(e.message), end
try, notify(d, 'Turned'), catch e, disp(e.message), end
t = addlistener(d, 'Turned', @(s, e) disp(e.EventName)); d.turn
m = ?Dial; disp({m.EventList.Name}), disp([m.PropertyList.AbortSet])
