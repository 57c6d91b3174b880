function a = satlin(n)
% a = satlin(n): n, at least 0 and at most 1.
a = min(max(n, 0), 1);
end
