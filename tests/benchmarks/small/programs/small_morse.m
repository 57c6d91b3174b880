function r = small_morse()
code = {'.-', '-...', '-.-.', '-..', '.', '..-.', '--.', '....', '..', '.---', '-.-', '.-..', '--', '-.', '---', '.--.', '--.-', '.-.', '...', '-', '..-', '...-', '.--', '-..-', '-.--', '--..'};
letters = num2cell('a':'z'); there = containers.Map(letters, code); back = containers.Map(code, letters);
text = 'the quick brown fox jumps over the lazy dog'; out = cell(1, 0);
for c = text, if isletter(c), out{end+1} = there(c); else, out{end+1} = '/'; end, end
m = strjoin(out, ' '); parts = strsplit(m, ' '); r = '';
for k = 1:numel(parts), if strcmp(parts{k}, '/'), r = [r ' ']; else, r = [r back(parts{k})]; end, end
end
