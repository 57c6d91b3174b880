function a = purelin(n)
% a = purelin(n): n itself.
a = n;
end
