function d = oct2dec(c)
% d = oct2dec(c): octal digits, written as decimal numbers, as what they stand for: oct2dec(12) is 10.
d = zeros(size(c));
place = 1;
while any(c(:))
    digit = mod(c, 10);
    if any(digit(:) > 7), error('comm:oct2dec:InvalidInput', 'The digits must be from 0 to 7.'); end
    d = d + digit*place;
    c = floor(c/10);
    place = place*8;
end
end
