function y = bitunpack(x)
% y = bitunpack(x): the bits of the elements of x, the lowest first, in the direction of x (Octave's).
if ischar(x) || islogical(x)
    bytes = uint8(x(:)');
else
    bytes = typecast(x(:)', 'uint8');
end
y = logical(bitget(repmat(bytes, 8, 1), repmat((1:8)', 1, numel(bytes))));
y = y(:);
if size(x, 1) == 1
    y = y';
end
end
