function r = small_key_values()
s = ''; for k = 1:80, s = [s sprintf('k%d=%d;', k, k*k)]; end
p = regexp(s, '(\w+)=(\d+);', 'tokens'); r = 0; for k = 1:numel(p), r = r + str2double(p{k}{2}); end
end
