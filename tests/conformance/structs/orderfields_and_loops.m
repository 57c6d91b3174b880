s.b = 1; s.a = 2; s.c = 3; for [v, k] = s
 printf('%s=%d ', k, v);
end
printf('\n'); n = fieldnames(s); for i = 1:numel(n), fprintf('%s ', n{i}); end, fprintf('\n'); t = orderfields(s); disp(fieldnames(t){1}); disp(isfield(s, {'a', 'z'})); c = struct2cell(s); disp(c{1}); u = cell2struct({1; 2}, {'p'; 'q'}, 1); disp(u.q); disp(numfields(s));
