size(blanks(3)), deblank('a  '), [repmat('-', 1, 5)], lower('ABC'), strjust(['a  '; 'bb '], 'right'), length('hello'), isempty(strtrim('   '))
