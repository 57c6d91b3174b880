s = struct('a', 1, 'b', 2); s = rmfield(s, 'a'); disp(fieldnames(s));
isfield(s, 'b'), isfield(s, {'a', 'b'}), isfield(5, 'a')
