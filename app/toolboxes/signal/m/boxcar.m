function w = boxcar(n)
% w = boxcar(n): the rectangular window, by its old name.
w = rectwin(n);
end
