function y = ntsc2rgb(x)
% y = ntsc2rgb(x): red, green and blue, from 0 to 1, of luminance and chrominance (YIQ).
m = [0.299 0.587 0.114; 0.596 -0.274 -0.322; 0.211 -0.523 0.312];
y = change_colours('ntsc2rgb', x, inv(m));
y = min(max(y, 0), 1);
end
