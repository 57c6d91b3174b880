function r = small_event_queue()
q = struct('time', {}, 'kind', {}, 'who', {}); served = 0; waiting = []; busy = false; r = 0;
for k = 1:25, q(end+1) = struct('time', mod(k * 7, 40) + k, 'kind', 'arrive', 'who', k); end
while ~isempty(q)
    [~, i] = min([q.time]); e = q(i); q(i) = [];
    switch e.kind
        case 'arrive', waiting(end+1) = e.who;
        case 'leave', busy = false; served = served + 1; r = r + e.time * e.who;
    end
    if ~busy && ~isempty(waiting)
        busy = true; q(end+1) = struct('time', e.time + 3 + mod(waiting(1), 4), 'kind', 'leave', 'who', waiting(1)); waiting(1) = [];
    end
end
r = r + served;
end
