any([]), all([]), any(zeros(0, 3)), all(zeros(0, 3))
if [], disp('true'), else, disp('false'), end
