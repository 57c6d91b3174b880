% Octave's assert compares with an expected value; text is a message behind a truth only.
function t(varargin), try, assert(varargin{:}); disp('same'), catch e, disp('differs'), end, end
t('', ''); t('a', ''); t('a', 'b'); t('ab', 'ab'); t(5, 'x'); t(true, 'x'); t({}, ''); t(97, 'a'); t('a', 97);
t(['ab'; 'cd'], ['ab'; 'ce']); t(['ab'; 'cd'], ['ab'; 'cd']); t({'a'}, {'b'}); t({'a', 1}, {'a', 1});
t(zeros(1, 0), ''); t(char(zeros(1, 0)), ''); t([], ''); t(sparse(1), 1); t(sparse(1), 1, eps);
t([1 2], 1, 2); t([1 2], [1 2.05], 0.1); t([1 2], [1 2.1], -0.1); t(1:3, [1; 2; 3]); t(single(1), 1); t(single(1), 1, eps);
s.a = 'x'; u.a = 'y'; t(s, u); t(s, s); t(strtrim('  '), ''); t(strtok(''), '');
try, assert(false, 'no %d', 3), catch e, disp(e.message), end
try, assert(false, 'my:id', 'no %s', 'way'), catch e, disp(e.identifier), end
