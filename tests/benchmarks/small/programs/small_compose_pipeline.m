function r = small_compose_pipeline()
steps = {@(v) v(v > 2), @(v) v * 3, @(v) cumsum(v), @(v) v(end:-1:1)}; r = 0;
for k = 1:40, v = 1:8; for s = 1:numel(steps), v = steps{s}(v); end, r = r + v(1) + numel(v); end
end
