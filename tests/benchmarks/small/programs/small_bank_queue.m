function r = small_bank_queue()
queue = struct('id', {}, 'time', {}); served = 0; waited = 0; t = 0; seed = 7;
while served < 60
    t = t + 1; seed = mod(seed * 1103 + 12345, 65536);
    if mod(seed, 3) > 0, queue(end+1) = struct('id', t, 'time', t); end
    if ~isempty(queue) && mod(seed, 2) == 0
        waited = waited + t - queue(1).time; queue(1) = []; served = served + 1;
    end
end
r = waited;
end
