function x = base64_decode(s, dims)
% x = base64_decode(s, dims): the doubles of a text of base 64, in an array of a size (Octave's).
if ~ischar(s)
    error('base64_decode:invalidType', 'The first input of base64_decode must be text.');
end
bytes = matlab.net.base64decode(s);
if isempty(bytes) || mod(numel(bytes), 8)
    error('base64_decode:invalidInput', 'The text holds no doubles of base 64.');
end
x = typecast(bytes, 'double');
if nargin > 1
    x = reshape(x, dims);
end
end
