function y = xyz2rgb(x, varargin)
% y = xyz2rgb(x): sRGB colours of CIE 1931 XYZ. Option 'ColorSpace': srgb, linear-rgb; 'WhitePoint': d65.
space = colour_options('xyz2rgb', varargin);
y = change_colours('xyz2rgb', x, inv([0.4124564 0.3575761 0.1804375; 0.2126729 0.7151522 0.0721750; 0.0193339 0.1191920 0.9503041]));
if strcmp(space, 'srgb')
    low = abs(y) <= 0.0031308;
    y(low) = 12.92*y(low);
    y(~low) = sign(y(~low)).*(1.055*abs(y(~low)).^(1/2.4) - 0.055);
end
end
