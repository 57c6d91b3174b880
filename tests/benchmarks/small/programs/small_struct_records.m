function r = small_struct_records()
p = struct('name', {}, 'age', {}); for k = 1:120, p(k).name = sprintf('n%d', k); p(k).age = mod(k*7, 90); end
r = sum([p.age]);
end
