function r = small_string_building()
s = ''; for k = 1:400, s = [s sprintf('%d,', k)]; end
r = numel(s);
end
