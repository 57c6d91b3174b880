function a = poslin(n)
% a = poslin(n): n where it is positive, else 0.
a = max(n, 0);
end
