function y = bitpack(x, name)
% y = bitpack(x, class): the bits of a logical array as numbers of a class (Octave's).
across = isrow(x);
x = logical(x(:));
if mod(numel(x), 8)
    error('bitpack: incorrect number of bits to make up output value');
end
bytes = uint8(2.^(0:7)*double(reshape(x, 8, [])));
switch name
    case 'char',    y = char(bytes);
    case 'logical', y = bytes ~= 0;
    otherwise,      y = typecast(bytes, name);
end
y = y(:);
if across
    y = y';
end
end
