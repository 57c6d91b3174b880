function r = small_caesar_cipher()
s = repmat('hello world', 1, 40); for k = 1:numel(s), if s(k) >= 'a' && s(k) <= 'z', s(k) = char(mod(s(k) - 'a' + 3, 26) + 'a'); end, end
r = sum(double(s));
end
