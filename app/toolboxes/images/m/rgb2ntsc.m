function y = rgb2ntsc(x)
% y = rgb2ntsc(x): luminance (Y) and chrominance (I, Q) of the rows of a colour map or the pixels of an image.
m = [0.299 0.587 0.114; 0.596 -0.274 -0.322; 0.211 -0.523 0.312];
y = change_colours('rgb2ntsc', x, m);
end
