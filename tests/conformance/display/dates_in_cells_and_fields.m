% dialect: matlab
% oracle: Octave has no dates
c = {datetime(2020, 1, 1), hours(1), NaT; categorical({'a'}), calmonths(1), datetime(2020, 1, 1:2)}
s.when = datetime(2020, 1, 1); s.long = minutes(90); s.kind = categorical({'x'}); s.names = ["a" "b"]; s.none = {}; s.row = cell(1, 0); s
