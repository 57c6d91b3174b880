% A superclass is called with or without spaces around its @, in matrices only without (there it begins a second value)
% dialect: matlab
addpath('support');
t = Trust('ann', 10); disp(t.balance); t.deposit(2); disp(t.entries());
c = {t @sin}; disp(class(c{2}));
f = {@(x) x + 1 @(y) y}; disp(numel(f));
s = ['a' 'b'];
g = {s @Trust}; disp(func2str(g{2}));
disp(get(0, 'ScreenDepth')); disp(numel(get(groot, 'MonitorPositions'))); disp(get(0, 'ScreenPixelsPerInch'));
