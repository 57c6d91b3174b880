% oracle: classes
addpath('support'); s = Savings('a', 1, 1); disp(isa(s, 'Account')); disp(isa(s, 'handle')); disp(isa(Point(), 'handle')); disp(isa(Square(2), 'Shape')); disp(class(Square(2)));
