function a = hardlims(n)
% a = hardlims(n): 1 where n is not negative, else -1.
a = 2*double(n >= 0) - 1;
end
