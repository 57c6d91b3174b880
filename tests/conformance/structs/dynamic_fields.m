s = struct(); f = 'alpha'; s.(f) = 1; s.([f 'b']) = 2; disp(s.alpha); disp(s.alphab); for k = 1:3, s.(sprintf('n%d',k)) = k^2; end
disp(s.n3); n = fieldnames(s); t = 0; for k = 1:numel(n), t = t + s.(n{k}); end, disp(t); s.(f)(3) = 9; disp(s.alpha);
x.y.z = 4; disp(x.('y').('z'));
