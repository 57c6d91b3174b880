function d = angle2dcm(r1, r2, r3, order)
% d = angle2dcm(r1, r2, r3, order): direction cosine matrices of three turns of the frame; orders such as ZYX (default).
if nargin < 4, order = 'ZYX'; end
order = upper(char(order));
if numel(order) ~= 3 || any(~ismember(order, 'XYZ')), error('aero:angle2dcm:InvalidOrder', 'The order is three of the letters X, Y and Z.'); end
d = zeros(3, 3, numel(r1));
for k = 1:numel(r1)
    d(:, :, k) = turned(order(3), r3(k))*turned(order(2), r2(k))*turned(order(1), r1(k));
end
end

function r = turned(axis_, a)
[c, s] = deal(cos(a), sin(a));
switch axis_
    case 'X', r = [1 0 0; 0 c s; 0 -s c];
    case 'Y', r = [c 0 -s; 0 1 0; s 0 c];
    case 'Z', r = [c s 0; -s c 0; 0 0 1];
end
end
