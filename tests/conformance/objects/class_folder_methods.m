% oracle: class folders
addpath('support'); s = Stack(); s.push(1); push(s, 'two'); disp(s.pop()); disp(pop(s)); disp(numel(s.items)); disp(ismethod(s, 'push')); disp(isprop(s, 'items'));
