% dialect: matlab
% oracle: Octave has no listeners
addpath('support'), d = Dial;
first = addlistener(d, 'Clicked', @(s, e) disp('still told'));
bad = addlistener(d, 'Clicked', @(s, e) error('my:id', 'no good'));
notify(d, 'Clicked'), [text, id] = lastwarn; disp(text), disp(id), delete(bad)
again = addlistener(d, 'Clicked', @(s, e) notify(s, 'Clicked')); notify(d, 'Clicked'), disp(again.Recursive), delete(again)
kept = listener(d, 'Clicked', @(s, e) disp('kept')); notify(d, 'Clicked'), clear kept, notify(d, 'Clicked')
kept = event.listener(d, 'Clicked', @(s, e) disp('kept')); notify(d, 'Clicked'), delete(kept), notify(d, 'Clicked')
p = event.proplistener(d, findprop(d, 'Level'), 'PostSet', @(s, e) disp(s.Name)); d.Level = 8;
disp(events(d))
