function r = small_tokens()
s = repmat('alpha beta gamma ', 1, 25); r = 0; while ~isempty(s), [t, s] = strtok(s); r = r + numel(t); end
end
