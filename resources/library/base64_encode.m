function s = base64_encode(x)
% s = base64_encode(x): the bytes of an array as text of base 64 (Octave's).
if ~isnumeric(x)
    error('base64_encode:invalidType', 'The input of base64_encode must be numeric.');
end
if issparse(x)
    error('base64_encode:sparse', 'Sparse matrices cannot be encoded.');
end
s = matlab.net.base64encode(typecast(x(:).', 'uint8'));
end
