function y = applylut(bw, lut)
% y = applylut(BW, lut): each pixel by its 2-by-2 or 3-by-3 neighbourhood, looked up in a table of makelut.
y = bwlookup(bw, lut);
end
