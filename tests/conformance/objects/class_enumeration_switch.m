% oracle: classes
addpath('support'); for d = [Day.Monday, Day.Sunday], switch d, case Day.Monday, disp('work'); otherwise, disp('rest'); end, end
disp(isequal(Day.Monday, Day.Monday));
