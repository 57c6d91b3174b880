function B = applycform(A, C)
% B = applycform(A, C): colours (rows of three, or a picture) converted as makecform says. Integers in Lab and XYZ are coded as ICC says: uint8 L by
%   255/100, a and b by 128; uint16 L by 65280/100, a and b by 256 from 32768; XYZ by 32768.
steps = struct('srgb2lab', {{@toXyz, @toLab}}, 'lab2srgb', {{@fromLab, @fromXyz}}, 'srgb2xyz', {{@toXyz}}, 'xyz2srgb', {{@fromXyz}}, ...
    'xyz2lab', {{@toLab}}, 'lab2xyz', {{@fromLab}}, 'lab2lch', {{@toPolar}}, 'lch2lab', {{@fromPolar}}, 'xyz2xyl', {{@toShares}}, 'xyl2xyz', {{@fromShares}});
x = reshape(A, [], 3);
if size(A, ndims(A)) ~= 3, error('images:applycform:threeColours', 'Colours must have three parts.'); end
x = decoded(x, C.ColorSpace_in);
for step = steps.(C.c_func), x = step{1}(x); end
B = reshape(encoded(x, class(A), C.ColorSpace_out), size(A));
end

function x = decoded(x, space)
kind = class(x);
if isfloat(x), x = double(x); return, end
x = double(x);
switch [kind ' ' space]
    case {'uint8 srgb'}, x = x/255;
    case {'uint16 srgb'}, x = x/65535;
    case {'uint8 lab'}, x = [x(:, 1)*100/255, x(:, 2:3) - 128];
    case {'uint16 lab'}, x = [x(:, 1)*100/65280, x(:, 2:3)/256 - 128];
    case {'uint16 xyz'}, x = x/32768;
    otherwise, error('images:applycform:class', 'Colours of the space %s are not coded in %s.', space, kind);
end
end

function x = encoded(x, kind, space)
if any(strcmp(kind, {'double', 'single'})), return, end
if strcmp(space, 'xyz'), kind = 'uint16'; end
switch [kind ' ' space]
    case {'uint8 srgb'}, x = uint8(x*255);
    case {'uint16 srgb'}, x = uint16(x*65535);
    case {'uint8 lab'}, x = uint8([x(:, 1)*255/100, x(:, 2:3) + 128]);
    case {'uint16 lab'}, x = uint16([x(:, 1)*65280/100, (x(:, 2:3) + 128)*256]);
    case {'uint16 xyz'}, x = uint16(x*32768);
end
end

function m = matrix()
% Linear sRGB to XYZ at D50 (the primaries adapted by Bradford's method).
m = [0.436065673828125 0.3851470947265625 0.14306640625; 0.2224884033203125 0.716873168945312 0.06060791015625; 0.013916015625 0.097076416015625 0.714096069335937];
end

function x = toXyz(x)
low = x <= 0.04045;
x(low) = x(low)/12.92;
x(~low) = ((x(~low) + 0.055)/1.055).^2.4;
x = x*matrix()';
end

function x = fromXyz(x)
x = min(max(x/matrix()', 0), 1);
low = x <= 0.0031308;
x(low) = x(low)*12.92;
x(~low) = 1.055*x(~low).^(1/2.4) - 0.055;
end

function x = toLab(x)
f = x./whitepoint('d50');
low = f <= (6/29)^3;
f(low) = f(low)*(29/6)^2/3 + 4/29;
f(~low) = nthroot(f(~low), 3);
x = [116*f(:, 2) - 16, 500*(f(:, 1) - f(:, 2)), 200*(f(:, 2) - f(:, 3))];
end

function x = fromLab(x)
y = (x(:, 1) + 16)/116;
f = [y + x(:, 2)/500, y, y - x(:, 3)/200];
low = f <= 6/29;
f(low) = 3*(6/29)^2*(f(low) - 4/29);
f(~low) = f(~low).^3;
x = f.*whitepoint('d50');
end

function x = toPolar(x)
x = [x(:, 1), hypot(x(:, 2), x(:, 3)), mod(atan2d(x(:, 3), x(:, 2)), 360)];
end

function x = fromPolar(x)
x = [x(:, 1), x(:, 2).*cosd(x(:, 3)), x(:, 2).*sind(x(:, 3))];
end

function x = toShares(x)
x = [x(:, 1:2)./sum(x, 2), x(:, 2)];
end

function x = fromShares(x)
x = [x(:, 1).*x(:, 3)./x(:, 2), x(:, 3), (1 - x(:, 1) - x(:, 2)).*x(:, 3)./x(:, 2)];
end
