function y = rgb2xyz(x, varargin)
% y = rgb2xyz(x): CIE 1931 XYZ of sRGB colours. Option 'ColorSpace': srgb, linear-rgb; 'WhitePoint': d65.
space = colour_options('rgb2xyz', varargin);
x = im2double(x);
if strcmp(space, 'srgb')
    low = abs(x) <= 0.04045;
    x(low) = x(low)/12.92;
    x(~low) = sign(x(~low)).*((abs(x(~low)) + 0.055)/1.055).^2.4;
end
y = change_colours('rgb2xyz', x, [0.4124564 0.3575761 0.1804375; 0.2126729 0.7151522 0.0721750; 0.0193339 0.1191920 0.9503041]);
end
