function r = small_hanoi()
r = hanoi(11, 1, 3, 2);
end
function n = hanoi(k, a, b, c)
if k == 0, n = 0; else, n = hanoi(k-1, a, c, b) + 1 + hanoi(k-1, c, b, a); end
end
