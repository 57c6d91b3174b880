[tok, mat] = regexp('key=val', '(\w+)=(\w+)', 'tokens', 'match'); disp(tok{1}{2}); disp(mat{1});
n = regexp('2024-05', '(?<y>\d+)-(?<m>\d+)', 'names'); disp(n.y); [s, e] = regexp('abcabc', 'bc'); disp([s; e]); disp(regexprep('abc', '(a)(b)', '$2$1')); disp(regexp('aXb', 'x', 'once', 'ignorecase')); disp(isempty(regexp('a', 'b', 'match', 'once')));
