function r = small_palindromes()
r = 0; for k = 1:1500, s = sprintf('%d', k); if strcmp(s, fliplr(s)), r = r + k; end, end
end
