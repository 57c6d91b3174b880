function r = tick(), persistent n; if isempty(n), n = 0; end, n = n + 1; r = n; end
tick(); tick(); disp(tick()); clear tick
