function tf = signbit(x)
% tf = signbit(x): true where the sign is minus, of -0 and -NaN, too (Octave's).
if ~isfloat(x) || ~isreal(x)
    error('signbit:invalidType', 'The input of signbit must be a real floating-point array.');
end
bits = typecast(full(x(:)), class_of_bits(x));
tf = reshape(bits < 0, size(x));
end

function name = class_of_bits(x)
name = 'int64';
if isa(x, 'single')
    name = 'int32';
end
end
