function r = small_elevator()
calls = mod((1:60)*37, 12) + 1; floor_now = 1; waiting = []; r = 0; next = 1; t = 0;
while next <= numel(calls) || ~isempty(waiting)
    t = t + 1;
    if mod(t, 3) == 0 && next <= numel(calls), waiting = [waiting, calls(next)]; next = next + 1; end
    if isempty(waiting), continue, end
    [d, i] = min(abs(waiting - floor_now));
    if d == 0, waiting(i) = []; r = r + t; else, floor_now = floor_now + sign(waiting(i) - floor_now); end
end
end
