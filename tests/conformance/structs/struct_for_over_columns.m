for s = struct('v', {1, 2}), disp(s.v); end
