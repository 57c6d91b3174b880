% dialect: matlab
% oracle: Octave has no categorical
c = categorical({'lo', 'hi', 'lo', 'mid'})
categories(c)', countcats(c), c == 'lo', c(2) = "lo"; o = categorical({'s', 'l'}, {'s', 'm', 'l'}, 'Ordinal', true); o(1) < o(2), double(o), removecats(o), iscategorical(o), isundefined(categorical({''}))
