function r = small_vowels()
s = repmat('an example sentence', 1, 60); r = 0; for k = 1:numel(s), r = r + any(s(k) == 'aeiou'); end
end
