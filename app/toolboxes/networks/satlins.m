function a = satlins(n)
% a = satlins(n): n, at least -1 and at most 1.
a = min(max(n, -1), 1);
end
