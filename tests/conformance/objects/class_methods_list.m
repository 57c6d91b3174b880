% oracle: classes
addpath('support'); m = methods('Money'); disp(ismember('plus', m)); disp(ismethod(Money(1), 'lt')); disp(isobject(Money(1))); p = properties('Money'); disp(p);
