fs = cell(1, 3); for k = 1:3, fs{k} = @() k * 10; end, disp(cellfun(@(f) f(), fs)); g = @(x) x; for k = 1:3, g = @(x) g(x) + 1; end, disp(g(0));
