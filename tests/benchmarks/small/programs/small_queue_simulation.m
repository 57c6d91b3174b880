function r = small_queue_simulation()
t = 0; q = 0; s = 7; served = 0; busy = 0;
for k = 1:5000
s = mod(s*16807, 2147483647); if mod(s, 10) < 4, q = q + 1; end
if busy > 0, busy = busy - 1; elseif q > 0, q = q - 1; busy = 2; served = served + 1; end
end
r = served;
end
