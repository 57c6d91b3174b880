% oracle: subsref through every form
addpath('support'); r = Ring([10 20 30]); disp(r(1)); disp(r(4)); disp(r(-1)); r(5) = 99; disp(r.data); disp(r(end)); disp(length(r)); r.data = [1 2]; disp(r(3)); disp(r.data(2));
