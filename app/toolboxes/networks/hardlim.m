function a = hardlim(n)
% a = hardlim(n): 1 where n is not negative, else 0.
a = double(n >= 0);
end
