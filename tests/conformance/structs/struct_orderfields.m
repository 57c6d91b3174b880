s = orderfields(struct('b', 1, 'a', 2)); disp(fieldnames(s));
