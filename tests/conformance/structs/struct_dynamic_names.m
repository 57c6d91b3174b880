s = struct(); f = 'key';
s.(f) = 5; s.([f '2']) = 6; disp(s.key + s.key2);
n = fieldnames(s); for k = 1:numel(n), fprintf('%s=%d\n', n{k}, s.(n{k})); end
